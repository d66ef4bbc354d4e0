import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues
import Foundation

/// The keys for the reference objects by which a store of an app's own class names its rows, as long as the
/// store is open.
///
/// A reference object is any value that can be hashed. Positive whole numbers are keys themselves.
final class ReferenceKeys: Sendable {
    private struct Name: Hashable {
        let root: EntityIndex
        let value: AnyHashable
    }

    private struct RowKey: Hashable {
        let root: EntityIndex
        let key: Int64
    }

    private struct State {
        var keys: [Name: Int64] = [:]
        var references: [RowKey: Any] = [:]
        var last = ReferenceKeys.firstNamed
    }

    /// The first of the keys of all other reference objects.
    private static let firstNamed: Int64 = 1 << 62

    private let state = Guarded(State())
    /// Whether a reference object has the same key in all hierarchies of entities.
    private let areCommon: Bool

    init(areCommon: Bool = false) { self.areCommon = areCommon }

    /// The keys that stores of the whole process share, so that IDs that name the same row are equal, and stay
    /// so when their store is closed.
    static let ofProcess = ReferenceKeys(areCommon: true)

    func key(of reference: Any, root: EntityIndex) -> Int64 {
        let value = AttributeValue(boxing: reference)
        if case .integer(let number)? = value, number > 0, number < Self.firstNamed { return number }
        guard let hashable = value.map(AnyHashable.init) ?? reference as? AnyHashable else {
            programmerError(
                "\(reference) cannot be a reference object: it has to be hashable, like a number or a string."
            )
        }
        let root = areCommon ? 0 : root
        return state.withLock { state in
            let name = Name(root: root, value: hashable)
            if let known = state.keys[name] { return known }
            state.last += 1
            state.keys[name] = state.last
            state.references[RowKey(root: root, key: state.last)] = reference
            return state.last
        }
    }

    /// Returns the reference object of an object ID.
    func reference(of id: NSManagedObjectID) -> Any {
        reference(of: id.reference.key, root: id.runtime.root)
    }

    /// Returns the reference object of a key.
    private func reference(of key: Int64, root: EntityIndex) -> Any {
        let root = areCommon ? 0 : root
        return state.withLock { $0.references[RowKey(root: root, key: key)] } ?? NSNumber(value: key)
    }

    // MARK: URIs

    func text(of key: Int64, root: EntityIndex) -> String {
        guard key > Self.firstNamed else { return String(key) }
        let text = "\(reference(of: key, root: root))"
        return text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed.subtracting(["/"])) ?? text
    }

    /// Returns the key of a reference object by its text in a URI: a number if it looks like one, otherwise
    /// the text itself.
    func key(ofText text: String, root: EntityIndex) -> Int64 {
        if let number = Int64(text), number > 0, "\(number)" == text {
            return key(of: NSNumber(value: number), root: root)
        }
        return key(of: text.removingPercentEncoding ?? text, root: root)
    }
}

extension NSPersistentStore {
    /// Returns the ID of the row that has a reference object.
    final func makeObjectID(
        _ entity: NSEntityDescription, _ reference: Any, _ keys: ReferenceKeys
    ) -> NSManagedObjectID {
        guard let frozen = persistentStoreCoordinator?.frozen, let index = frozen.index(of: entity) else {
            programmerError(
                "\(Swift.type(of: self)) cannot make an object ID: its coordinator has no entity "
                    + "\"\(entity.name ?? "")\".")
        }
        let runtime = frozen.runtime(index)
        let key = keys.key(of: reference, root: runtime.root)
        return NSManagedObjectID(ObjectReference(entity: index, key: key), runtime: runtime, store: self)
    }
}
