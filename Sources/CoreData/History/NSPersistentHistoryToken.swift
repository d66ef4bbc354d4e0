public import Foundation

/// A moment in the history of one or several stores: everything up to it has been seen.
///
/// Keep it, archived, and ask later for what came after. Equal tokens stand for the same moment of the same stores.
open class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The number of the last transaction seen, by the identifier of its store.
    final let numbers: [String: Int64]

    static let key = "NSPersistentHistoryTokenStores"

    init(_ numbers: [String: Int64]) {
        self.numbers = numbers
    }

    /// The same token with one store further on.
    final func advanced(to number: Int64, of storeID: String) -> NSPersistentHistoryToken {
        NSPersistentHistoryToken(numbers.merging([storeID: number]) { $1 })
    }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        let stores = numbers.mapValues { NSNumber(value: $0) }
        coder.encode(NSDictionary(dictionary: stores), forKey: Self.key)
    }

    public required init?(coder: NSCoder) {
        let classes: [AnyClass] = [NSDictionary.self, NSString.self, NSNumber.self]
        guard let stores = coder.decodeObject(of: classes, forKey: Self.key) as? NSDictionary else {
            return nil
        }
        var numbers: [String: Int64] = [:]
        for (store, number) in stores {
            guard let store = store as? String, let number = number as? NSNumber else { return nil }
            numbers[store] = number.int64Value
        }
        self.numbers = numbers
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSPersistentHistoryToken)?.numbers == numbers
    }

    open override var hash: Int { numbers.hashValue }

    open override var description: String {
        let stores = numbers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "\(Printing.head(self)) (\(stores.joined(separator: ", ")))"
    }
}
