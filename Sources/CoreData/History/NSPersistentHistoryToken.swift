import CoreDataStore
import CoreDataValues
public import Foundation

/// A position in the history of one or several stores, up to which everything has been seen.
///
/// Archive and keep it to request later what happened after it. Equal tokens stand for the same moment of the
/// same stores. It may be used on any thread.
open class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The position in each store, by its identifier.
    final let marks: [String: HistoryMark]

    static let key = "NSPersistentHistoryTokenStores"

    init(_ marks: [String: HistoryMark]) {
        self.marks = marks
    }

    /// Returns an equal token with one store further on.
    final func advanced(to mark: HistoryMark, of storeID: String) -> NSPersistentHistoryToken {
        NSPersistentHistoryToken(marks.merging([storeID: mark]) { $1 })
    }

    /// Always true: tokens are archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Archives the token with a keyed coder.
    open func encode(with coder: NSCoder) {
        let stores = marks.mapValues { mark -> NSObject in
            mark.seen == nil ? NSNumber(value: mark.number) : NSString(string: mark.text)
        }
        coder.encode(NSDictionary(dictionary: stores), forKey: Self.key)
    }

    /// Reads an archived token; nil if the archive has none.
    public required init?(coder: NSCoder) {
        let classes: [AnyClass] = [NSDictionary.self, NSString.self, NSNumber.self]
        guard let stores = coder.decodeObject(of: classes, forKey: Self.key) as? NSDictionary else {
            return nil
        }
        var texts: [String: String] = [:]
        for (store, value) in stores {
            guard let store = store as? String else { return nil }
            texts[store] = (value as? NSNumber).map { String($0.int64Value) } ?? value as? String
        }
        guard let marks = Self.marks(texts), marks.count == stores.count else { return nil }
        self.marks = marks
    }

    /// Makes a token of the texts in an archive; nil if one of them is none of a position.
    package convenience init?(texts: [String: String]) {
        guard let marks = Self.marks(texts) else { return nil }
        self.init(marks)
    }

    /// The positions as texts, by store, of which `init(texts:)` makes an equal token.
    package final var texts: [String: String] { marks.mapValues(\.text) }

    /// The number of the last transaction of each store.
    package final var numbers: [String: Int64] { marks.mapValues(\.number) }

    private static func marks(_ texts: [String: String]) -> [String: HistoryMark]? {
        let marks = texts.compactMapValues(HistoryMark.init(text:))
        return marks.count == texts.count ? marks : nil
    }

    /// Returns the token itself, which does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether both stand for the same moment of the same stores.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSPersistentHistoryToken)?.marks == marks
    }

    /// A hash value of the moment.
    open override var hash: Int { marks.hashValue }

    /// The number of the last transaction of each store, as text.
    open override var description: String {
        let stores = marks.sorted(by: \.key).map { "\($0.key): \($0.value.number)" }
        return "\(Printing.head(self)) (\(stores.joined(separator: ", ")))"
    }
}
