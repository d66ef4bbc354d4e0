import Foundation

/// Maps row keys to objects by open addressing: 16 bytes an entry, linear probing, deletion by shifting back.
///
/// The table owns no reference; who puts one in decides whether it is retained. Not thread-safe.
struct KeyTable {
    private struct Entry {
        var key: Int64
        var object: UnsafeRawPointer?
    }

    private var entries: UnsafeMutablePointer<Entry>
    private var mask: Int
    /// What brings the high bits of a spread key down to the number of a group of four entries.
    private var shift: Int
    private(set) var count = 0

    init(minimumCapacity: Int = 16) {
        var capacity = 16
        while capacity < minimumCapacity * 2 { capacity *= 2 }
        entries = Self.allocate(capacity)
        mask = capacity - 1
        shift = Self.shift(capacity)
    }

    private static func shift(_ capacity: Int) -> Int { 64 - (capacity / 4).trailingZeroBitCount }

    /// Free entries are zero, which memory fresh from the system is: it is not written for that.
    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
        guard let memory = calloc(capacity, MemoryLayout<Entry>.stride) else {
            preconditionFailure("out of memory")
        }
        return memory.bindMemory(to: Entry.self, capacity: capacity)
    }

    /// Frees the entries; the table must not be used afterwards.
    func deallocate() { free(entries) }

    /// Neighbouring keys share a cache line, runs of keys spread evenly: the golden section sees to that, in the high
    /// bits of the product. The last of a group lies first: keys mostly leave in the order in which they came, and then
    /// there is nothing behind the one that leaves to move into the gap.
    private func home(_ key: Int64) -> Int {
        let bits = UInt64(bitPattern: key)
        let group = ((bits >> 2) &* 0x9E37_79B9_7F4A_7C15) &>> UInt64(shift)
        return Int(truncatingIfNeeded: group << 2 | ~bits & 3)
    }

    /// Where the entry of a key is, until the table changes.
    @inline(__always)
    func index(of key: Int64) -> Int? {
        var index = home(key)
        while entries[index].object != nil {
            if entries[index].key == key { return index }
            index = (index + 1) & mask
        }
        return nil
    }

    /// The object of the entry at a place.
    func object(at index: Int) -> UnsafeRawPointer? { entries[index].object }

    subscript(_ key: Int64) -> UnsafeRawPointer? { index(of: key).flatMap(object) }

    /// Puts an object in and returns the one it replaces.
    @discardableResult
    mutating func set(_ key: Int64, _ object: UnsafeRawPointer) -> UnsafeRawPointer? {
        if (count + 1) * 4 > (mask + 1) * 3 { grow(to: (mask + 1) * 2) }
        var index = home(key)
        while let present = entries[index].object {
            if entries[index].key == key {
                entries[index].object = object
                return present
            }
            index = (index + 1) & mask
        }
        entries[index] = Entry(key: key, object: object)
        count += 1
        return nil
    }

    /// Takes an entry out; with `object` given only if it is that one.
    @discardableResult
    mutating func remove(_ key: Int64, ifIs object: UnsafeRawPointer? = nil) -> UnsafeRawPointer? {
        guard let index = index(of: key), let present = entries[index].object,
            object == nil || object == present
        else { return nil }
        remove(at: index)
        return present
    }

    mutating func remove(at index: Int) {
        close(index)
        count -= 1
    }

    func forEach(_ body: (Int64, UnsafeRawPointer) -> Void) {
        for index in 0...mask {
            if let object = entries[index].object { body(entries[index].key, object) }
        }
    }

    mutating func removeAll(where isGone: (Int64, UnsafeRawPointer) -> Bool) {
        var keys: [Int64] = []
        forEach { if isGone($0, $1) { keys.append($0) } }
        for key in keys { remove(key) }
    }

    /// Gives up the room that the entries took as well.
    mutating func removeAll() {
        deallocate()
        self = KeyTable()
    }

    /// Moves later entries of the run into the gap, so that no probe stops early.
    private func close(_ gap: Int) {
        var gap = gap
        var next = (gap + 1) & mask
        while let object = entries[next].object {
            let distance = (next - home(entries[next].key)) & mask
            if distance >= (next - gap) & mask {
                entries[gap] = Entry(key: entries[next].key, object: object)
                gap = next
            }
            next = (next + 1) & mask
        }
        entries[gap].object = nil
    }

    /// Makes room for so many entries in all, for who knows that they come.
    mutating func reserve(_ total: Int) {
        var capacity = mask + 1
        while total * 4 > capacity * 3 { capacity *= 2 }
        if capacity > mask + 1 { grow(to: capacity) }
    }

    private mutating func grow(to capacity: Int) {
        let (old, oldMask) = (entries, mask)
        mask = capacity - 1
        shift = Self.shift(capacity)
        entries = Self.allocate(capacity)
        for index in 0...oldMask where old[index].object != nil { place(old[index]) }
        free(old)
    }

    /// Puts in an entry whose key is known not to be there yet.
    private func place(_ entry: Entry) {
        var index = home(entry.key)
        while entries[index].object != nil { index = (index + 1) & mask }
        entries[index] = entry
    }
}
