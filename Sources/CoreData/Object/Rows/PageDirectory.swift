import Foundation

/// A hash table of pages by their numbers, with open addressing: 16 bytes an entry, linear probing, deletion
/// by shifting back.
///
/// Owns no page. Not thread-safe.
struct PageDirectory {
    private struct Entry {
        var number: Int64
        var page: KeyPage?
    }

    private var entries: UnsafeMutablePointer<Entry>
    private var mask: Int
    /// By how many bits a hash is shifted to get, from its high bits, the number of a group of four entries.
    private var shift: Int
    private var count = 0
    #if CORE_DATA_CHECKS
    private var pace = CheckPace()
    #endif

    init() {
        let capacity = 16
        entries = Self.allocate(capacity)
        mask = capacity - 1
        shift = Self.shift(capacity)
    }

    private static func shift(_ capacity: Int) -> Int { 64 - (capacity / 4).trailingZeroBitCount }

    /// Allocates free entries, which are zero. New memory from the system is zero already and is not written.
    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
        guard let memory = calloc(capacity, MemoryLayout<Entry>.stride) else {
            preconditionFailure("out of memory")
        }
        return memory.bindMemory(to: Entry.self, capacity: capacity)
    }

    /// Frees the entries; the directory must not be used afterwards.
    func deallocate() { free(entries) }

    /// Returns the entry at which the search for a page begins.
    ///
    /// Neighbours share a cache line and runs of them are spread evenly, by the high bits of a product with
    /// the golden ratio. The group is in reverse order: pages are mostly removed in the order in which they
    /// were added, and then no entry behind a removed one has to move into the gap.
    private func home(_ number: Int64) -> Int {
        let bits = UInt64(bitPattern: number)
        let group = ((bits >> 2) &* 0x9E37_79B9_7F4A_7C15) &>> UInt64(shift)
        return Int(truncatingIfNeeded: group << 2 | ~bits & 3)
    }

    @inline(__always)
    private func index(of number: Int64) -> Int? {
        var index = home(number)
        while entries[index].page != nil {
            if entries[index].number == number { return index }
            index = (index + 1) & mask
        }
        return nil
    }

    @inline(__always)
    subscript(_ number: Int64) -> KeyPage? { index(of: number).flatMap { entries[$0].page } }

    /// Adds a page whose number is known not to be in the directory.
    mutating func add(_ number: Int64, _ page: KeyPage) {
        if (count + 1) * 4 > capacity * 3 { grow(to: capacity * 2) }
        insert(Entry(number: number, page: page))
        count += 1
        checkInvariants()
    }

    mutating func remove(_ number: Int64) {
        guard let index = index(of: number) else { return }
        close(index)
        count -= 1
        checkInvariants()
    }

    func forEach(_ body: (Int64, KeyPage) -> Void) {
        for index in 0...mask {
            if let page = entries[index].page { body(entries[index].number, page) }
        }
    }

    /// Moves later entries of the run into the gap, so that no probe stops early.
    private func close(_ gap: Int) {
        var gap = gap
        var next = (gap + 1) & mask
        while let page = entries[next].page {
            let distance = (next - home(entries[next].number)) & mask
            if distance >= (next - gap) & mask {
                entries[gap] = Entry(number: entries[next].number, page: page)
                gap = next
            }
            next = (next + 1) & mask
        }
        entries[gap].page = nil
    }

    /// Makes room for a total number of pages.
    mutating func reserve(_ total: Int) {
        var wanted = capacity
        while total * 4 > wanted * 3 { wanted *= 2 }
        if wanted > capacity { grow(to: wanted) }
    }

    private mutating func grow(to capacity: Int) {
        let (old, oldMask) = (entries, mask)
        mask = capacity - 1
        shift = Self.shift(capacity)
        entries = Self.allocate(capacity)
        for index in 0...oldMask where old[index].page != nil { insert(old[index]) }
        free(old)
        checkInvariants()
    }

    private func insert(_ entry: Entry) {
        var index = home(entry.number)
        while entries[index].page != nil { index = (index + 1) & mask }
        entries[index] = entry
    }

    var capacity: Int { mask + 1 }

    /// Traps if a page would not be found, or not at its entry; only in builds with `CORE_DATA_CHECKS`.
    @inline(__always)
    private mutating func checkInvariants() {
        #if CORE_DATA_CHECKS
        guard pace.isDue(entries: capacity) else { return }
        precondition(capacity & mask == 0 && shift == Self.shift(capacity), "a directory has another size")
        precondition(count * 4 <= capacity * 3, "a directory is too full")
        var found = 0
        for entry in 0...mask where entries[entry].page != nil {
            found += 1
            let number = entries[entry].number
            precondition(index(of: number) == entry, "page \(number) is not found, or is there twice")
        }
        precondition(found == count, "a directory has \(found) pages and counts \(count)")
        #endif
    }
}
