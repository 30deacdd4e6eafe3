#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""swap.py FROM TO: a recording as a big-endian machine would have written it.

Numbers change their byte order one by one, bit fields change the order of the bits in
each byte, text and build-ids stay. Features that perf's reports do not need are left out.
"""
import struct
import sys

import pdfile
from pdfile import File, u

REVERSED = bytes(int(f'{i:08b}'[::-1], 2) for i in range(256))
WIDTHS = {'B': 1, 'H': 2, 'I': 4, 'Q': 8, 'b': 1}  # b: bits
ATTR = 'IIQQQQbbbbbbbbIIQQQQIIQIHHIIQ'
STRINGS = (3, 4, 5, 6, 8, 9)


def swap(fmt, data, at=0):
    """Swaps by fmt; returns the bytes, and what stands behind them."""
    out = bytearray()
    for c in fmt:
        piece = data[at:at + WIDTHS[c]]
        out += piece.translate(REVERSED) if c == 'b' else piece[::-1]
        at += len(piece)
    return bytes(out), data[at:]


def rest_as(fmt, data):
    return swap(fmt * (len(data) // sum(WIDTHS[c] for c in fmt)), data)[0]


def attr_body(body):
    done, rest = swap(ATTR, body)
    assert not rest
    return done


def strings(count, data):
    out = b''
    for _ in range(count):
        length = u('I', data)[0]
        out += data[3::-1] + data[4:4 + length]
        data = data[4 + length:]
    return out, data


def read_values(attr, data):
    each = 1 + (attr.read_format >> 4 & 1)
    times = (attr.read_format & 1) + (attr.read_format >> 1 & 1)
    if attr.read_format & 8:
        return swap('Q' * (1 + times + u('Q', data)[0] * (1 + each)), data)
    return swap('Q' * (1 + times + (attr.read_format >> 2 & 1) + each - 1), data)


def sample(attr, data):
    out = b''
    for bit, fmt in ((pdfile.IDENTIFIER, 'Q'), (pdfile.IP, 'Q'), (pdfile.TID, 'II'),
                     (pdfile.TIME, 'Q'), (pdfile.ADDR, 'Q'), (pdfile.ID, 'Q'),
                     (pdfile.STREAM_ID, 'Q'), (pdfile.CPU, 'II'), (pdfile.PERIOD, 'Q')):
        if attr.has(bit):
            done, data = swap(fmt, data)
            out += done
    if attr.has(pdfile.READ_F):
        done, data = read_values(attr, data)
        out += done
    assert attr.sample_type >> pdfile.RAW & ~(1 << 16 - pdfile.RAW) == 0
    return out + rest_as('Q', data)  # at most a call chain is left


def event_of(file, kind, record):
    """The attr that a record belongs to."""
    first = file.attrs[0]
    at = None
    if len(file.attrs) == 1:
        return first
    if kind == pdfile.SAMPLE:
        at = 8 if first.has(pdfile.IDENTIFIER) else \
            8 + 8 * sum(first.has(b) for b in (pdfile.IP, pdfile.TID, pdfile.TIME, pdfile.ADDR))
    elif first.has(pdfile.IDENTIFIER):
        at = len(record) - 8
    else:
        at = len(record) - 8 * (1 + first.has(pdfile.STREAM_ID) + first.has(pdfile.CPU))
    found = [a for a, ids in zip(file.attrs, file.ids) if u('Q', record, at)[0] in ids]
    return found[0] if found else first


def kernel_record(file, kind, record):
    """A record below 64 without its head."""
    attr = event_of(file, kind, record)
    if kind == pdfile.SAMPLE:
        return sample(attr, record[8:])
    fields = attr.trailer_fields() if attr.has_trailers else []
    trailer = ''.join(fmt for _, fmt in fields)
    cut = len(record) - sum(WIDTHS[c] for c in trailer)
    body, end = record[8:cut], swap(trailer, record[cut:])[0]
    heads = {pdfile.MMAP: 'IIQQQ', pdfile.COMM: 'II', pdfile.EXIT: 'IIIIQ', pdfile.FORK: 'IIIIQ',
             pdfile.MMAP2: 'IIQQQIIQQII', pdfile.THROTTLE: 'QQQ', pdfile.UNTHROTTLE: 'QQQ',
             pdfile.LOST: 'QQ', pdfile.KSYMBOL: 'QIHH', 13: 'Q'}
    done, rest = swap(heads[kind], body)
    return done + rest + end


def own_record(kind, record):
    """A record of perf's own, without its head; None: not needed."""
    heads = {68: '', 69: 'Q', 82: ''}
    if kind not in heads:
        return None
    done, rest = swap(heads[kind], record[8:])
    return done + rest_as('Q', rest)


def swap_data(file):
    out = b''
    for kind, misc, record in pdfile.records(file.data):
        new = kernel_record(file, kind, record) if kind < 64 else own_record(kind, record)
        if new is not None:
            out += struct.pack('>IHH', kind, misc, len(record)) + new
    return out


def event_desc(body):
    n, size = u('II', body)
    out, data = swap('II', body)
    for _ in range(n):
        n_ids = u('I', data, size)[0]
        out += attr_body(data[:size])
        done, data = swap('I', data[size:])
        out += done
        done, data = strings(1, data)
        out += done
        done, data = swap('Q' * n_ids, data)
        out += done
    return out


def group_desc(body):
    out, data = swap('I', body)
    for _ in range(u('I', body)[0]):
        done, data = strings(1, data)
        out += done
        done, data = swap('II', data)
        out += done
    return out


def feature(bit, body):
    if bit in STRINGS:
        return strings(1, body)[0]
    if bit == pdfile.F_BUILD_ID:
        return b''.join(swap('IHHI', entry)[0] + entry[12:]
                        for entry, _ in pdfile.build_ids(body))
    if bit == 7:
        return rest_as('I', body)
    if bit in (10, 21):
        return rest_as('Q', body)
    if bit == 11:
        return body[3::-1] + strings(u('I', body)[0], body[4:])[0]
    return {12: event_desc, 17: group_desc}[bit](body) if bit in (12, 17) else None


def main(source, target):
    with open(source, 'rb') as f:
        file = File(f.read())
    features = {bit: feature(bit, body) for bit, body in file.features.items()}
    features = {bit: body for bit, body in features.items() if body is not None}
    data = swap_data(file)
    body, places = b'', []
    for ids in file.ids:
        places.append((104 + len(body), 8 * len(ids)))
        body += struct.pack(f'>{len(ids)}Q', *ids)
    attrs_at = 104 + len(body)
    for attr, place in zip(file.attrs, places):
        body += attr_body(attr.body) + struct.pack('>QQ', *place)
    data_at = 104 + len(body)
    table = b''
    at = data_at + len(data) + 16 * len(features)
    bitmap = [0] * 4
    for bit in sorted(features):
        bitmap[bit // 64] |= 1 << bit % 64
        table += struct.pack('>QQ', at, len(features[bit]))
        at += len(features[bit])
    head = b'2ELIFREP' + struct.pack(
        '>12Q', 104, len(file.attrs[0].body) + 16, attrs_at, data_at - attrs_at, data_at,
        len(data), 0, 0, *bitmap)
    with open(target, 'wb') as f:
        f.write(head + body + data + table + b''.join(features[b] for b in sorted(features)))


if __name__ == '__main__':
    main(*sys.argv[1:])
