import Foundation

/// The dictionary that the handler of a batch insertion fills.
///
/// It keeps Swift's keys and values as they are, where Foundation's own makes an object of each, which costs
/// more than inserting the row.
final class RowDictionary: NSMutableDictionary {
    private(set) var values: [String: Any] = [:]

    private static func name(_ key: Any) -> String { key as? String ?? "\(key)" }

    override var count: Int { values.count }
    override func object(forKey aKey: Any) -> Any? { values[Self.name(aKey)] }
    override func keyEnumerator() -> NSEnumerator { NSArray(array: Array(values.keys)).objectEnumerator() }
    override func setObject(_ anObject: Any, forKey aKey: AnyHashable) {
        values[Self.name(aKey.base)] = anObject
    }
    override func removeObject(forKey aKey: Any) { values[Self.name(aKey)] = nil }
}
