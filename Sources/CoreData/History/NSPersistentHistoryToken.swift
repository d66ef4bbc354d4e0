public import Foundation

/// A position in the history of one or several stores, up to which everything has been seen.
///
/// Archive and keep it to request later what happened after it. Equal tokens stand for the same moment of the
/// same stores. It may be used on any thread.
open class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The number of the last transaction seen, by the identifier of its store.
    final let numbers: [String: Int64]

    static let key = "NSPersistentHistoryTokenStores"

    init(_ numbers: [String: Int64]) {
        self.numbers = numbers
    }

    /// Returns an equal token with one store further on.
    final func advanced(to number: Int64, of storeID: String) -> NSPersistentHistoryToken {
        NSPersistentHistoryToken(numbers.merging([storeID: number]) { $1 })
    }

    /// Always true: tokens are archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Archives the token with a keyed coder.
    open func encode(with coder: NSCoder) {
        let stores = numbers.mapValues { NSNumber(value: $0) }
        coder.encode(NSDictionary(dictionary: stores), forKey: Self.key)
    }

    /// Reads an archived token; nil if the archive has none.
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

    /// Returns the token itself, which does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether both stand for the same moment of the same stores.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSPersistentHistoryToken)?.numbers == numbers
    }

    /// A hash value of the moment.
    open override var hash: Int { numbers.hashValue }

    /// The number of the last transaction of each store, as text.
    open override var description: String {
        let stores = numbers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "\(Printing.head(self)) (\(stores.joined(separator: ", ")))"
    }
}
