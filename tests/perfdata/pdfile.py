# SPDX-License-Identifier: GPL-3.0-or-later
"""perf.data as far as the recordings in testdata/perfdata need it.

Takes a little-endian file apart and puts it together again: with another host name,
without the records of strangers, or as a big-endian machine would have written it.
Used to make the recordings, and by no test; so it believes what it reads.
"""
import struct

MMAP, LOST, COMM, EXIT, THROTTLE, UNTHROTTLE, FORK, READ, SAMPLE, MMAP2 = range(1, 11)
KSYMBOL, BPF_EVENT = 17, 18
HEADER_ATTR, HEADER_FEATURE = 64, 80
F_BUILD_ID, F_HOSTNAME = 2, 3
HOST = b'host'

# Names of the sample_type bits by their numbers.
IP, TID, TIME, ADDR, READ_F, CALLCHAIN, ID, CPU, PERIOD, STREAM_ID, RAW, BRANCHES, REGS_USER, \
    STACK_USER, WEIGHT, DATA_SRC, IDENTIFIER = range(17)


def u(fmt, data, at=0):
    return struct.unpack_from('<' + fmt, data, at)


class Attr:
    def __init__(self, body):
        self.body = body
        self.type, self.size, self.config, self.period, self.sample_type, self.read_format, \
            self.flags = u('IIQQQQQ', body)

    def has(self, bit):
        return bool(self.sample_type >> bit & 1)

    @property
    def has_trailers(self):
        return bool(self.flags >> 18 & 1)

    @property
    def is_freq(self):
        return bool(self.flags >> 10 & 1)

    def trailer_fields(self):
        """Formats of the sample_id trailer, in order."""
        order = ((TID, 'II'), (TIME, 'Q'), (ID, 'Q'), (STREAM_ID, 'Q'), (CPU, 'II'),
                 (IDENTIFIER, 'Q'))
        return [(bit, fmt) for bit, fmt in order if self.has(bit)]


def records(data):
    """(type, misc, whole record) one after the other; what is cut at the end is left out."""
    at = 0
    while at + 8 <= len(data):
        kind, misc, size = u('IHH', data, at)
        if size < 8 or at + size > len(data):
            return
        yield kind, misc, data[at:at + size]
        at += size


class File:
    """A plain file: attrs with their ids, data, features by number in rising order."""

    def __init__(self, raw):
        assert raw[:8] == b'PERFILE2' and u('Q', raw, 8)[0] == 104
        stride, at, size, data_at, data_size = u('QQQQQ', raw, 16)
        self.attrs, self.ids = [], []
        for i in range(size // stride):
            body = raw[at + i * stride:at + (i + 1) * stride - 16]
            ids_at, ids_size = u('QQ', raw, at + (i + 1) * stride - 16)
            self.attrs.append(Attr(body))
            self.ids.append(u(f'{ids_size // 8}Q', raw, ids_at))
        self.data = raw[data_at:data_at + data_size]
        bitmap = u('4Q', raw, 72)
        self.features = {}
        table = data_at + data_size
        for bit in (b for b in range(256) if bitmap[b // 64] >> b % 64 & 1):
            f_at, f_size = u('QQ', raw, table)
            self.features[bit] = raw[f_at:f_at + f_size]
            table += 16

    def write(self):
        out = bytearray(104)
        places = []
        for ids in self.ids:
            places.append((len(out), 8 * len(ids)))
            out += struct.pack(f'<{len(ids)}Q', *ids)
        attrs_at = len(out)
        for attr, place in zip(self.attrs, places):
            out += attr.body + struct.pack('<QQ', *place)
        attrs_size = len(out) - attrs_at
        data_at = len(out)
        out += self.data
        f_at = len(out) + 16 * len(self.features)
        bitmap = [0] * 4
        for bit in sorted(self.features):
            bitmap[bit // 64] |= 1 << bit % 64
            out += struct.pack('<QQ', f_at, len(self.features[bit]))
            f_at += len(self.features[bit])
        for bit in sorted(self.features):
            out += self.features[bit]
        out[:104] = b'PERFILE2' + struct.pack(
            '<12Q', 104, len(self.attrs[0].body) + 16, attrs_at, attrs_size, data_at,
            len(self.data), 0, 0, *bitmap)
        return bytes(out)


def text(body, at):
    return body[at:body.index(b'\0', at)].decode()


def with_host(body):
    """A HOSTNAME feature that says HOST, as long as it was."""
    length = u('I', body)[0]
    return struct.pack('<I', length) + HOST.ljust(length, b'\0') + body[4 + length:]


def build_ids(body):
    """(whole entry, path) of a BUILD_ID feature."""
    for _, _, entry in records(body):
        yield entry, text(entry, 36)
