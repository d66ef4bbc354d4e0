import CoreDataModelFormat
import CoreDataValues
public import Foundation
import Synchronization

/// The identity of an object: its store, entity and key.
///
/// Two IDs are equal if they name the same row, or the same object that is not saved yet, whichever context
/// they come from. IDs are made on demand and may be used on any thread.
open class NSManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
    private final let home: Home
    final let reference: ObjectReference

    /// The values that all IDs of one entity's objects in one store share, so that each ID holds a single
    /// reference.
    final class Home: Sendable {
        let runtime: EntityRuntime
        let storeLink: Backlink<NSPersistentStore>?

        init(_ runtime: EntityRuntime, storeLink: Backlink<NSPersistentStore>?) {
            self.runtime = runtime
            self.storeLink = storeLink
        }
    }

    init(_ reference: ObjectReference, at home: Home) {
        self.reference = reference
        self.home = home
        super.init()
    }

    /// Makes an ID that names no object, and equals only itself.
    public convenience override init() {
        self.init(TemporaryKeys.next(for: 0), runtime: Self.nowhere.runtime(0), store: nil)
    }

    /// The model of IDs that name no object.
    private static let nowhere: FrozenModel = {
        let entity = NSEntityDescription()
        entity.name = "NSManagedObject"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return entity.runtime.model
    }()

    convenience init(_ reference: ObjectReference, runtime: EntityRuntime, store: NSPersistentStore?) {
        self.init(reference, at: Home(runtime, storeLink: store?.link))
    }

    final var runtime: EntityRuntime { home.runtime }
    private final var storeLink: Backlink<NSPersistentStore>? { home.storeLink }

    /// The entity of the object, the most special one that is known.
    open var entity: NSEntityDescription { runtime.entity }

    /// The store that has the object; nil for a temporary ID, and once the store is gone.
    open weak var persistentStore: NSPersistentStore? { storeLink?.target }

    final func isIn(_ other: NSPersistentStore?) -> Bool { storeLink === other?.link }

    /// Whether the object was not saved yet when the ID was made.
    ///
    /// A temporary ID is replaced when the object is saved or `obtainPermanentIDs(for:)` is called.
    open var isTemporaryID: Bool { reference.isTemporary }

    /// Returns the archivable form: `x-coredata://<store UUID>/<entity>/p<key>` (sqlite-store §11).
    ///
    /// `NSPersistentStoreCoordinator.managedObjectID(forURIRepresentation:)` turns it back into an ID, also
    /// in another process. A temporary ID's is `x-coredata:///<entity>/t…`, and leads to no object.
    open func uriRepresentation() -> URL {
        let name = runtime.name
        let text =
            if isTemporaryID {
                "x-coredata:///\(name)/t\(TemporaryKeys.process)\(-reference.key)"
            } else {
                "x-coredata://\(Self.host(persistentStore?.identifier ?? ""))/\(rowName)"
            }
        return URL(string: text) ?? URL(fileURLWithPath: text)
    }

    /// The end of the URI of a saved object: `Book/p12`.
    package final var rowName: String { "\(runtime.name)/p\(referenceText)" }

    /// The key of the row: unique among the objects of an entity hierarchy, in the order in which they were
    /// made.
    package final var key: Int64 { reference.key }

    /// Returns the host part of a URI: the identifier, escaped if it is no UUID, as a changed file may have
    /// it.
    private static func host(_ identifier: String) -> String {
        let isPlain = identifier.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isPlain
            ? identifier : identifier.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private var referenceText: String {
        persistentStore?.referenceText(reference, root: runtime.root) ?? String(reference.key)
    }

    /// Returns the ID itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether the other ID names the same row, or the same object that is not saved yet.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectID else { return false }
        return other === self
            || (reference.key == other.reference.key && runtime.root == other.runtime.root
                && storeLink === other.storeLink && runtime.modelLink === other.runtime.modelLink)
    }

    /// A hash of key and entity.
    open override var hash: Int {
        // Sets and dictionaries hash this number once more.
        Int(truncatingIfNeeded: reference.key ^ Int64(runtime.root) << 48)
    }

    /// The ID's address and URI.
    open override var description: String {
        "\(Printing.address(self)) <\(uriRepresentation().absoluteString)>"
    }
}

extension FrozenModel {
    /// Returns the IDs of rows of a store; the shared values are looked up once for successive rows of one
    /// entity.
    func ids(of references: [ObjectReference], in store: NSPersistentStore) -> [NSManagedObjectID] {
        var home: NSManagedObjectID.Home?
        return references.map { reference in
            let runtime = runtime(reference.entity)
            let current =
                if let home, home.runtime === runtime { home } else {
                    NSManagedObjectID.Home(runtime, storeLink: store.link)
                }
            home = current
            return NSManagedObjectID(reference, at: current)
        }
    }
}

/// The keys of objects that have no row yet: negative, and never used twice in a process.
enum TemporaryKeys {
    private static let last = Atomic<Int64>(0)

    /// The part of temporary URIs that distinguishes those of this process from those of others.
    static let process = UUID().uuidString

    static func next(for entity: EntityIndex) -> ObjectReference {
        ObjectReference(entity: entity, key: -last.add(1, ordering: .relaxed).newValue)
    }
}
