# SPDX-License-Identifier: GPL-3.0-or-later
"""What binutils say of ELF files: the expected values of run.py.

Nothing here knows profdiff. Sections, symbols, relocations and DWARF are those of
readelf, instructions those of objdump.
"""
import re
from typing import NamedTuple, Optional

SECTION = re.compile(r'^ *\[ *(\d+)\] (\S*) +(\S+) +([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+) '
                     r'([0-9a-f]+) +([A-Za-z]*) +\d+ +\d+ +\d+$')
SYMBOL = re.compile(r'^ *\d+: ([0-9a-f]+) +(\d+|0x[0-9a-f]+) (\S+) +(\S+) +(\S+) +(?:\[.*?\] +)?'
                    r'(\S+)(?: (.*))?$')
RELOC = re.compile(r'^([0-9a-f]+) +[0-9a-f]+ (R_\S+) +([0-9a-f]+) (\S+)(?: ([+-]) ([0-9a-f]+))?')
FAMILY = re.compile(r'(\.(cold|part|constprop|isra|lto_priv|llvm|\d+)(\.\d+)*)+$')
CLONE = re.compile(r'(\.(cold|part|constprop|isra)(\.\d+)*)+$')
INSN = re.compile(r'^ *([0-9a-f]+):\s+(\S+)\s*(.*)$')
INSN_RELOC = re.compile(r'^\s+([0-9a-f]+): +(R_\S+)\s+(\S+?)(?:([+-])0x([0-9a-f]+))?$')
DIE = re.compile(r'^ *<(\d+)><([0-9a-f]+)>: Abbrev Number: \d+(?: \((\S+)\))?')
ATTRIBUTE = re.compile(r'^ *<[0-9a-f]+> +(DW_AT_\S+) *: *(.*)$')
CODE_MARKS = re.compile(r'^\$[xdat](\..*)?$|^\.L|^\$xrv')


class Section(NamedTuple):
    number: int
    name: str
    address: int
    n_bytes: int
    is_loaded: bool
    is_code: bool


class Symbol(NamedTuple):
    name: str
    kind: str      # FUNC, OBJECT, NOTYPE, ...
    bind: str
    section: int
    address: int
    n_bytes: int
    file: int      # number of the file symbol before it; of globals -1
    file_name: str


class Piece(NamedTuple):
    """All symbols of one kind at one place."""
    names: tuple   # the one it goes by first
    is_function: bool
    section: int
    address: int
    n_bytes: int
    file: int
    file_name: str


class Inline(NamedTuple):
    name: str
    caller: str
    n_bytes: Optional[int]  # None: several ranges


def family(name):
    return FAMILY.sub('', name)


def source(name):
    """Without what names a clone or a part, but with what link-time optimization adds
    to tell functions of equal names apart."""
    return CLONE.sub('', name)


class Elf:
    """One file; `run` gives what a command writes on standard output."""

    def __init__(self, run, path):
        self._run = run
        self.path = path
        self._text = run(['readelf', '-hSsnW', path])
        self.header = dict(re.findall(r'^ *([^:\n]+): *(.*)$',
                                      self._text.partition('Section Headers')[0], re.M))
        self.sections = self._sections()
        self.symbols = list(self._symbols())
        self._opd = self._descriptors()
        self.pieces = self._pieces()
        self._disassembly = {}

    @property
    def is_relocatable(self):
        return self.header['Type'].startswith('REL')

    def _sections(self):
        found = {}
        for line in self._text.splitlines():
            match = SECTION.match(line)
            if match and match[1] != '0':
                found[int(match[1])] = Section(
                    int(match[1]), match[2], 0 if self.is_relocatable else int(match[4], 16),
                    int(match[6], 16), 'A' in match[8], 'A' in match[8] and 'X' in match[8])
        return found

    def loaded(self):
        """Bytes of loaded sections by name."""
        sums = {}
        for section in self.sections.values():
            if section.is_loaded:
                sums[section.name] = sums.get(section.name, 0) + section.n_bytes
        return sums

    def _symbols(self):
        in_table = False
        file, file_name = -1, ''
        for line in self._text.splitlines():
            if line.startswith('Symbol table'):
                in_table = "'.symtab'" in line
            match = SYMBOL.match(line) if in_table else None
            if not match:
                continue
            name = match[7] or ''
            if match[3] == 'FILE':
                file, file_name = file + 1, name
            if not match[6].isdigit():
                continue
            is_local = match[4] == 'LOCAL'
            yield Symbol(name, match[3], match[4], int(match[6]), int(match[1], 16),
                         int(match[2], 0), file if is_local else -1,
                         file_name if is_local else '')

    def _descriptors(self):
        """PowerPC64, version 1: where the code of each function descriptor is."""
        opd = [s for s in self.sections.values() if s.name == '.opd']
        if not opd or 'PowerPC64' not in self.header['Machine']:
            return {}
        found = {}
        if self.is_relocatable:
            by_name = {s.name: s.number for s in self.sections.values()}
            for section, at, kind, name, addend in self.relocations():
                if section == '.opd' and kind == 'R_PPC64_ADDR64' and name in by_name:
                    found[at] = (by_name[name], addend)
            return found
        text = self._run(['readelf', '-x', '.opd', self.path])
        data = ''.join(''.join(line[13:49].split()) for line in text.splitlines()
                       if line.startswith('  0x'))
        for i in range(0, len(data) // 16, 3):
            address = int(data[i * 16:i * 16 + 16], 16)
            code = [s.number for s in self.sections.values() if s.is_code and
                    s.address <= address < s.address + s.n_bytes]
            if code:
                found[opd[0].address + i * 8] = (code[0], address)
        return found

    def _place(self, symbol):
        if self.sections[symbol.section].name == '.opd':
            return self._opd.get(symbol.address, (symbol.section, symbol.address))
        return symbol.section, symbol.address

    def _kind(self, symbol):
        section = self.sections[symbol.section]
        if not section.is_loaded or not symbol.name or CODE_MARKS.match(symbol.name):
            return None
        if symbol.kind in ('FUNC', 'IFUNC') or \
                (symbol.kind == 'NOTYPE' and symbol.n_bytes and section.is_code):
            return 'function'
        if symbol.kind in ('OBJECT', 'TLS', 'COMMON') or \
                (symbol.kind == 'NOTYPE' and symbol.n_bytes):
            return 'object'
        return None

    def _pieces(self):
        places = {}
        for symbol in self.symbols:
            kind = self._kind(symbol)
            if kind:
                section, address = self._place(symbol)
                if self.header['Machine'] == 'ARM' and symbol.kind == 'FUNC':
                    address &= ~1
                places.setdefault((kind, section, address), []).append(symbol)
        pieces = []
        for (kind, section, address), symbols in sorted(places.items()):
            symbols.sort(key=lambda s: (not s.n_bytes, s.bind == 'LOCAL', s.bind == 'WEAK',
                                        len(s.name), s.name))
            size = max(s.n_bytes for s in symbols)
            if size:
                pieces.append(Piece(tuple(dict.fromkeys(s.name for s in symbols)),
                                    kind == 'function', section, address, size,
                                    symbols[0].file, symbols[0].file_name))
        return pieces

    def functions(self):
        return [p for p in self.pieces if p.is_function]

    def objects(self):
        return [p for p in self.pieces if not p.is_function]

    def rows(self):
        """Sorted (family, bytes): one for each function of the source, static ones apart."""
        sums = {}
        for piece in self.functions():
            name = family(piece.names[0])
            key = (piece.file, source(piece.names[0]))
            sums.setdefault(name, {}).setdefault(key, []).append(piece)
        found = []
        for name, files in sums.items():
            # A cold part is local though its function is global.
            if any(file == -1 for file, _ in files) and len(files) > 1:
                found.append((name, sum(p.n_bytes for list_ in files.values() for p in list_)))
            else:
                found += [(name, sum(p.n_bytes for p in list_)) for list_ in files.values()]
        return sorted(found)

    def size(self, name):
        """Bytes of the family of that name, None if there is none."""
        sizes = [p.n_bytes for p in self.functions() if family(p.names[0]) == name]
        return sum(sizes) if sizes else None

    def piece(self, name):
        found = [p for p in self.functions() if name in p.names]
        return found[0] if found else None

    def bytes_by_section(self, pieces):
        sums = {}
        for piece in pieces:
            name = self.sections[piece.section].name
            sums[name] = sums.get(name, 0) + piece.n_bytes
        return sums

    def build_id(self):
        match = re.search(r'Build ID: ([0-9a-f]+)', self._text)
        return match[1] if match else None

    # ---- relocations and calls

    def relocations(self):
        """(name of the section, place, kind, symbol or section, addend)."""
        section = ''
        for line in self._run(['readelf', '-rW', self.path]).splitlines():
            head = re.match(r"Relocation section '\.rela?(\S*)'", line)
            section = head[1] if head else section
            match = RELOC.match(line)
            if match:
                addend = int(match[6] or '0', 16)
                yield (section, int(match[1], 16), match[2], match[4],
                       -addend if match[5] == '-' else addend)

    def find(self, section, address):
        """The function that covers the place; of several the one that begins last."""
        found = [p for p in self.functions() if p.section == section and
                 p.address <= address < p.address + p.n_bytes]
        return found[-1] if found else None

    def _instructions(self, objdump):
        """(section, address, mnemonic, operands, relocations within)."""
        if objdump not in self._disassembly:
            text = self._run([objdump, '-d', '-r', '--no-show-raw-insn', self.path])
            self._disassembly[objdump] = self._parse_disassembly(text)
        return self._disassembly[objdump]

    def _parse_disassembly(self, text):
        numbers = {s.name: s.number for s in self.sections.values()}
        section, found = None, []
        for line in text.splitlines():
            head = re.match(r'Disassembly of section (\S+):', line)
            if head:
                section = numbers[head[1]]
            reloc = INSN_RELOC.match(line)
            match = None if reloc else INSN.match(line)
            if reloc and found:
                addend = int(reloc[5] or '0', 16)
                found[-1][4].append((int(reloc[1], 16), reloc[2], reloc[3],
                                     -addend if reloc[4] == '-' else addend))
            if match and section is not None:
                found.append((section, int(match[1], 16), match[2], match[3], []))
        return found

    def _shown(self, insn, following, objdump):
        """The address that a branch without a relocation is shown with, or None."""
        if insn[2] == 'auipc':  # RISC-V: half of it is in the next instruction
            parts = re.match(r'(?:ra, )?(-?\d+)\(\w+\)$', following[3]) if following else None
            page = re.search(r', (\d+)$', insn[3])
            return insn[1] + (int(page[1]) << 12) + int(parts[1]) if parts and page else None
        last = re.split(r'[\s,]+', re.sub(r'\s*(<|@|#).*$', '', insn[3]))[-1]
        try:
            return int(last, 0 if objdump.startswith('llvm') else 16)
        except ValueError:
            return None

    def _is_entry(self, section, address, target):
        entries = [target.address]
        if 'PowerPC64' in self.header['Machine'] and not self._opd:
            entries.append(target.address + 8)  # the local entry
        return address in entries and (section == target.section or not self.is_relocatable)

    def _reloc_target(self, insn, name, target, shown):
        """Whether the relocation of a branch names the function, or its section and place."""
        place, kind, symbol, addend = insn[4][0]
        sections = {s.name: s.number for s in self.sections.values()}
        if symbol not in sections:
            return symbol in (target.names if target else (name,))
        if target and symbol == '.opd':
            return self._opd.get(addend) == (target.section, target.address)
        if not target or sections[symbol] != target.section:
            return False
        if kind.startswith('R_X86_64'):
            addend += 4  # operands count from their ends
        elif kind.startswith('R_386') or kind == 'R_MIPS_26':
            # The addend is in the instruction, where objdump takes it for a distance.
            addend = shown if kind == 'R_MIPS_26' else shown - place
        return addend == target.address

    def calls(self, name, objdump='objdump', branch=r'call|j'):
        """Call sites of a function by caller; None: those in no function.

        branch is an expression for the mnemonics of direct branches.
        """
        target = self.piece(name)
        sites = {}
        insns = self._instructions(objdump)
        for insn, following in zip(insns, insns[1:] + [None]):
            section, address, mnemonic = insn[:3]
            if not re.match(branch, mnemonic):
                continue
            shown = self._shown(insn, following, objdump)
            if insn[4]:
                goes_there = self._reloc_target(insn, name, target, shown)
            else:
                goes_there = target and self._is_entry(section, shown, target)
            if not goes_there:
                continue
            caller = self.find(section, address)
            is_call = re.match(r'call|bl|jal|bras|auipc', mnemonic)
            if caller and caller == target and not is_call:
                continue  # a loop
            key = family(caller.names[0]) if caller else None
            sites[key] = sites.get(key, 0) + 1
        return sites

    # ---- DWARF

    def _dies(self):
        """(depth, offset, tag, attributes)."""
        text = self._run(['readelf', '--debug-dump=info', self.path])
        die = None
        for line in text.splitlines():
            match = DIE.match(line)
            if match:
                if die:
                    yield die
                die = (int(match[1]), int(match[2], 16), match[3], {}) if match[3] else None
                continue
            match = ATTRIBUTE.match(line)
            if match and die:
                die[3].setdefault(match[1], match[2])
        if die:
            yield die

    def dwarf(self):
        """The instances of inlined functions, and the names of units."""
        dies = list(self._dies())
        by_offset = {offset: (tag, attributes) for _, offset, tag, attributes in dies}

        def reference(attributes, name):
            match = re.match(r'<(?:0x)?([0-9a-f]+)>', attributes.get(name, ''))
            return by_offset.get(int(match[1], 16)) if match else None

        def name_of(attributes):
            for _ in range(4):
                for key in ('DW_AT_linkage_name', 'DW_AT_name'):
                    if key in attributes:
                        return attributes[key].rsplit('): ', 1)[-1].strip()
                origin = reference(attributes, 'DW_AT_abstract_origin') or \
                    reference(attributes, 'DW_AT_specification')
                if not origin:
                    break
                attributes = origin[1]
            return ''

        inlines, units, stack = [], [], []
        for depth, _, tag, attributes in dies:
            del stack[depth:]
            stack += [None] * (depth - len(stack)) + [(tag, attributes)]
            if tag in ('DW_TAG_compile_unit', 'DW_TAG_skeleton_unit'):
                units.append(name_of(attributes))
            if tag != 'DW_TAG_inlined_subroutine':
                continue
            owners = [a for t, a in filter(None, stack) if t == 'DW_TAG_subprogram' and
                      ('DW_AT_low_pc' in a or 'DW_AT_ranges' in a)]
            if not owners:
                continue
            n_bytes = None
            if 'DW_AT_high_pc' in attributes:
                high = attributes['DW_AT_high_pc'].rsplit(' ', 1)[-1]
                n_bytes = int(high, 16 if high.startswith('0x') else 10)
            inlines.append(Inline(name_of(attributes), name_of(owners[-1]), n_bytes))
        return inlines, units
