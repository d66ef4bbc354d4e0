/// Which rows differ from those of a ledger's file, so that a step writes what it has changed, however much there is.
package struct Unwritten<Key: Hashable & Sendable>: Sendable {
    /// Whether the file has a row of the key.
    private var rows: [Key: Bool] = [:]

    package init() {}

    /// Notes that a row changes, before it does.
    ///
    /// - Parameter isInFile: Whether the file has it. Only asked when the row changes for the first time since the file
    ///   was written.
    package mutating func note(_ key: Key, isInFile: @autoclosure () -> Bool) {
        if rows[key] == nil { rows[key] = isInFile() }
    }

    /// Returns the keys and whether the file has a row of them, and takes their rows for written.
    package mutating func take() -> [Key: Bool] {
        defer { rows = [:] }
        return rows
    }
}
