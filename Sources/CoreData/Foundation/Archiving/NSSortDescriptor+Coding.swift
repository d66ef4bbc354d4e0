import CoreDataPredicates
public import Foundation

extension SortDescriptorKeyInitializable where Self: NSSortDescriptor {
    /// Encodes the descriptor under the name and the keys of Apple's class.
    ///
    /// Traps on a closure, as Apple's raises an exception.
    public func encode(with coder: NSCoder) {
        guard let key, let selector else {
            programmerError(
                "the sort descriptor by \"\(key ?? "self")\" compares by a closure, which no archive can hold: "
                    + "give it a selector")
        }
        coder.encode(NSString(string: key), forKey: "NSKey")
        coder.encode(ascending, forKey: "NSAscending")
        coder.encode(NSString(string: selector.description), forKey: "NSSelector")
    }

    /// Decodes a sort descriptor; an archive with a comparison that is not known fails the coder with
    /// `CocoaError.coderReadCorrupt`.
    public init?(coder: NSCoder) {
        func text(_ key: String) -> String? {
            coder.decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) }
        }
        let isAscending = coder.decodeBool(forKey: "NSAscending")
        guard let made = KeySortDescriptor(text("NSKey"), isAscending: isAscending, text("NSSelector")),
            let descriptor = made as? Self
        else {
            NodeCoding.refuse(coder, "sort descriptor")
            return nil
        }
        self = descriptor
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }
}

extension NSSortDescriptor: @retroactive NSCoding {}
extension NSSortDescriptor: @retroactive NSSecureCoding {}

extension KeySortDescriptor {
    /// Makes the descriptor that an archive names; nil for a comparison that is not known.
    convenience init?(_ key: String?, isAscending: Bool, _ selector: String?) {
        guard let collation = SortKey.Collation(selector: selector.map { Selector($0) }) else { return nil }
        self.init(SortKey(key, isAscending: isAscending, collation))
    }
}
