/// A map from row keys to objects.
///
/// Rows that are made, read or saved together mostly have neighbouring keys. Neighbouring keys share pages,
/// which a directory finds: an entry then takes about ten bytes, and entries are in memory in the order of
/// their keys. The entry of a key far from all others takes about ninety bytes.
///
/// The table does not retain objects; the caller that adds one decides whether it is retained. Not
/// thread-safe.
struct KeyTable {
    typealias Entry = UnsafeMutablePointer<UnsafeRawPointer?>

    private var directory = PageDirectory()
    private var supply = KeyPageSupply()
    private(set) var count = 0
    #if CORE_DATA_CHECKS
    private var pace = CheckPace()
    #endif

    /// Frees the memory; the table must not be used afterwards.
    func deallocate() {
        directory.deallocate()
        supply.deallocate()
    }

    private static func number(_ key: Int64) -> Int64 { key >> KeyPage.keyBits }
    private static func position(_ key: Int64) -> Int { Int(key & Int64(KeyPage.keyCount - 1)) }

    /// Returns the entry of a key, valid until the table changes; nil if there is none.
    @inline(__always)
    func entry(of key: Int64) -> Entry? {
        guard let page = directory[Self.number(key)] else { return nil }
        let entry = page.objects + Self.position(key)
        return entry.pointee == nil ? nil : entry
    }

    subscript(_ key: Int64) -> UnsafeRawPointer? { entry(of: key)?.pointee }

    /// Sets the object of a key and returns the one that it replaces.
    @discardableResult
    mutating func set(_ key: Int64, _ object: UnsafeRawPointer) -> UnsafeRawPointer? {
        let page = directory[Self.number(key)] ?? addPage(Self.number(key))
        let entry = page.objects + Self.position(key)
        let replaced = entry.pointee
        entry.pointee = object
        if replaced == nil { count += 1 }
        checkInvariants()
        return replaced
    }

    private mutating func addPage(_ number: Int64) -> KeyPage {
        let page = supply.take()
        directory.add(number, page)
        return page
    }

    /// Removes an entry; if `object` is given, only if it is the entry's object.
    @discardableResult
    mutating func remove(_ key: Int64, ifIs object: UnsafeRawPointer? = nil) -> UnsafeRawPointer? {
        guard let entry = entry(of: key), let present = entry.pointee, object == nil || object == present
        else { return nil }
        remove(key, at: entry)
        return present
    }

    /// Takes an entry out.
    ///
    /// - Parameter entry: The entry of the key.
    mutating func remove(_ key: Int64, at entry: Entry) {
        entry.pointee = nil
        count -= 1
        let page = KeyPage(objects: entry - Self.position(key))
        if page.isEmpty {
            directory.remove(Self.number(key))
            supply.giveBack(page)
        }
        checkInvariants()
    }

    func forEach(_ body: (Int64, UnsafeRawPointer) -> Void) {
        directory.forEach { number, page in
            for position in 0..<KeyPage.keyCount {
                if let object = page.objects[position] {
                    body(number << KeyPage.keyBits | Int64(position), object)
                }
            }
        }
    }

    mutating func removeAll(where isGone: (Int64, UnsafeRawPointer) -> Bool) {
        var keys: [Int64] = []
        forEach { if isGone($0, $1) { keys.append($0) } }
        for key in keys { remove(key) }
    }

    /// Empties the table and frees its memory.
    mutating func removeAll() {
        deallocate()
        self = KeyTable()
    }

    /// Makes room for a total number of entries.
    mutating func reserve(_ total: Int) { directory.reserve(total / KeyPage.keyCount + 1) }

    /// Traps if the count or a page is wrong; only in builds with `CORE_DATA_CHECKS`.
    @inline(__always)
    private mutating func checkInvariants() {
        #if CORE_DATA_CHECKS
        guard pace.isDue(entries: count + directory.capacity) else { return }
        var found = 0
        directory.forEach { number, page in
            precondition(!page.isEmpty, "page \(number) of a key table has no object")
            for position in 0..<KeyPage.keyCount where page.objects[position] != nil { found += 1 }
        }
        precondition(found == count, "a key table has \(found) objects and counts \(count)")
        #endif
    }
}
