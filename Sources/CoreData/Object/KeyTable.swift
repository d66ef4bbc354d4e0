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

    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
        entries.initialize(repeating: Entry(key: 0, object: nil), count: capacity)
        return entries
    }

    /// Frees the entries; the table must not be used afterwards.
    func deallocate() { entries.deallocate() }

    /// Neighbouring keys share a cache line, runs of keys spread evenly: the golden section sees to that, in the high
    /// bits of the product.
    private func home(_ key: Int64) -> Int {
        let bits = UInt64(bitPattern: key)
        let group = ((bits >> 2) &* 0x9E37_79B9_7F4A_7C15) &>> UInt64(shift)
        return Int(truncatingIfNeeded: group << 2 | bits & 3)
    }

    subscript(_ key: Int64) -> UnsafeRawPointer? {
        var index = home(key)
        while let object = entries[index].object {
            if entries[index].key == key { return object }
            index = (index + 1) & mask
        }
        return nil
    }

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
        var index = home(key)
        while let present = entries[index].object {
            if entries[index].key == key {
                if let object, object != present { return nil }
                close(index)
                count -= 1
                return present
            }
            index = (index + 1) & mask
        }
        return nil
    }

    func forEach(_ body: (Int64, UnsafeRawPointer) -> Void) {
        for index in 0...mask {
            if let object = entries[index].object { body(entries[index].key, object) }
        }
    }

    mutating func removeAll() {
        for index in 0...mask { entries[index].object = nil }
        count = 0
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
        count = 0
        for index in 0...oldMask {
            if let object = old[index].object { set(old[index].key, object) }
        }
        old.deallocate()
    }
}
