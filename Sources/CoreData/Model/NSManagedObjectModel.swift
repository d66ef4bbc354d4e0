import CoreDataModelFormat
public import Foundation
import Synchronization

/// A model: the entities whose objects a store holds.
///
/// A model can be changed until a persistent store coordinator uses it. From then on every setter of the
/// model and its descriptions traps, except those of `userInfo` and `localizationDictionary`, and it may be
/// read from any thread. Using a model checks and compiles it, once: making a coordinator with a model that
/// cannot be used (an inverse that leads nowhere, two entities of one name) traps, naming every fault.
///
/// Loading is in `NSManagedObjectModel+Loading.swift`, merging in `+Merging.swift`, versions and
/// compatibility in `+Versions.swift`.
open class NSManagedObjectModel: NSObject, NSCoding, NSCopying {
    final var storedEntities: [NSEntityDescription] = []
    final var configurationEntities: [String: [NSEntityDescription]] = [:]
    final var templates: [String: NSFetchRequest<any NSFetchRequestResult>] = [:]
    /// The compiled form, made when the model is first used.
    final let frozen = Mutex<FrozenModel?>(nil)
    /// The hashes that were computed last, and the document that they are of.
    final let lastHashes = Mutex<(of: ModelDocument, hashes: VersionHashes)?>(nil)
    /// Entity names to entities, from the moment the model freezes.
    final var frozenEntitiesByName: [String: NSEntityDescription]?
    /// The file or folder that the model was read from; its classes are found through its folder.
    final var sourceURL: URL?

    /// Makes a model without entities.
    public required override init() {}

    final var isFrozen: Bool { frozenEntitiesByName != nil }

    // MARK: Entities

    /// The entities of the model, subentities included.
    ///
    /// The setter also adds the subentities of the given entities. An entity of another model moves to this
    /// one. Traps if either model is in use.
    open var entities: [NSEntityDescription] {
        get { storedEntities }
        set {
            requireMutable()
            let family = Self.withSubentities(newValue)
            for entity in family where entity.isFrozen { immutableModelError() }
            for entity in storedEntities where entity.model === self { entity.model = nil }
            for entity in family {
                entity.model?.storedEntities.removeAll { $0 === entity }
                entity.model = self
            }
            storedEntities = family
            relink()
        }
    }

    /// The entities by name.
    ///
    /// If several have the same name, the first counts.
    open var entitiesByName: [String: NSEntityDescription] {
        frozenEntitiesByName ?? Dictionary(storedEntities.map { ($0.name ?? "", $0) }) { first, _ in first }
    }

    /// Adds new subentities of the model's entities.
    final func adoptSubentities() {
        entities = storedEntities
    }

    private static func withSubentities(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
        var seen: Set<ObjectIdentifier> = []
        return (entities + entities.flatMap(\.family)).filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    /// Makes relationships and configurations refer to the entities of this model.
    private func relink() {
        let byName = entitiesByName
        for entity in storedEntities {
            for case let relationship as NSRelationshipDescription in entity.ownProperties {
                relationship.relink(in: self, entities: byName)
            }
        }
        for (configuration, members) in configurationEntities {
            configurationEntities[configuration] = members.compactMap { byName[$0.name ?? ""] }
        }
    }

    // MARK: Configurations

    /// The names of the model's configurations, sorted.
    open var configurations: [String] { configurationEntities.keys.sorted() }

    /// Returns the entities of a configuration: all of the model's for nil, nil for an unknown name.
    open func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let configuration, configuration != Self.defaultConfigurationName else { return entities }
        return configurationEntities[configuration]
    }

    /// The name that stands for all entities, as nil does.
    static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    /// Puts entities into a configuration, which is made if it does not exist.
    ///
    /// Traps for entities of another model, and for a model in use.
    open func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        requireMutable()
        for entity in entities where entity.model !== self {
            programmerError(
                "The entity \"\(entity.name ?? "")\" cannot be in the configuration \"\(configuration)\": it "
                    + "does not belong to the model. Set the model's entities first.")
        }
        configurationEntities[configuration] = entities
    }

    // MARK: Others

    /// Texts that replace entity and property names in messages, under keys such as `Entity/Person` and
    /// `Property/name/Entity/Person`.
    ///
    /// May be set while the model is in use.
    open var localizationDictionary: [String: String]?

    /// Names for this version of the model, chosen by the app and written into the metadata of stores.
    ///
    /// They are not part of the version hashes.
    open var versionIdentifiers: Set<AnyHashable> = [] { willSet { requireMutable() } }

    final func requireMutable() {
        if isFrozen { immutableModelError() }
    }

    /// The names of the entities and templates, and whether the model can be changed.
    open override var description: String {
        "(<NSManagedObjectModel>) isEditable \(!isFrozen), entities \(entitiesByName.keys.sorted()), "
            + "fetch request templates \(templates.keys.sorted())"
    }

    // MARK: Templates

    /// The fetch request templates by name.
    open var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] { templates }

    /// Returns the template with a name; nil if there is none.
    ///
    /// The template of a model in use cannot be changed: change a copy.
    open func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        templates[name]
    }

    /// Stores a template under a name; nil removes it.
    ///
    /// Traps for a model in use.
    open func setFetchRequestTemplate(
        _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
    ) {
        requireMutable()
        templates[name] = fetchRequestTemplate
    }

    /// Returns a copy of a template with a value for each `$name` of its predicate; nil if there is no such
    /// template.
    ///
    /// - Parameters:
    ///   - name: The name of the template.
    ///   - variables: The values by the names of the variables, without `$`. With a variable left out, a
    ///     fetch throws 134060 (`NSCoreDataError`), and evaluation traps, as an incomplete predicate could
    ///     match anything.
    open func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        guard let template = fetchRequestTemplate(forName: name) else { return nil }
        let request = template.copy() as! NSFetchRequest<any NSFetchRequestResult>
        request.predicate = template.predicate?.withSubstitutionVariables(variables)
        return request
    }

    // MARK: Versions

    /// The version hashes of the entities, by entity name: 32 bytes that change with every part of an entity
    /// that affects a store's tables (version-hash §2).
    ///
    /// They equal Apple's hashes, perhaps except for entities with composite attributes, for which no hash of
    /// Apple's is known.
    ///
    /// Hashes a model that changed since the last call; otherwise returns the remembered hashes.
    open var entityVersionHashesByName: [String: Data] { versionHashes.byEntity }

    /// One text that tells versions of the model apart (version-hash §3).
    open var versionChecksum: String { versionHashes.checksum }

    /// Returns whether a store with this metadata can be opened with the entities of a configuration: every
    /// entity of the configuration is in the store in the same version, and nothing else is.
    ///
    /// - Parameters:
    ///   - configuration: The name; nil stands for all entities. An unknown name gives false.
    ///   - metadata: What `NSPersistentStoreCoordinator.metadataForPersistentStore(type:at:options:)`
    ///     returned.
    open func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool {
        hasEntities(of: configuration, inVersionsOf: metadata)
    }

    // MARK: Copying, coding, equality

    /// Returns a copy that can be changed, with copies of every description, linked among themselves.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init()
        copy.entities = entities.filter { $0.superentity == nil }.map { $0.copy() as! NSEntityDescription }
        let byName = copy.entitiesByName
        copy.storedEntities = entities.compactMap { byName[$0.name ?? ""] }
        copy.configurationEntities = configurationEntities.mapValues { members in
            members.compactMap { byName[$0.name ?? ""] }
        }
        copy.templates = templates.mapValues { $0.copy(for: byName) }
        copy.localizationDictionary = localizationDictionary
        copy.versionIdentifiers = versionIdentifiers
        copy.sourceURL = sourceURL
        return copy
    }

    /// Encodes the model as a compiled model, the format of a `.mom` file.
    ///
    /// A model that the format cannot hold fails the coder.
    open func encode(with coder: NSCoder) {
        do {
            coder.encode(try archived() as NSData, forKey: Self.archiveKey)
        } catch {
            coder.failWithError(error)
        }
    }

    /// Decodes a model.
    ///
    /// Data that is no compiled model fails the coder with the error of the reader or
    /// `CocoaError.coderReadCorrupt`.
    public required init?(coder: NSCoder) {
        super.init()
        guard let data = coder.decodeObject(of: NSData.self, forKey: Self.archiveKey) else {
            failToDecodeDescription(coder)
            return nil
        }
        do {
            try thaw(archive: Data(referencing: data))
        } catch {
            coder.failWithError(error)
            return nil
        }
    }

    private static let archiveKey = "NSManagedObjectModelArchive"

    /// Returns whether another model has equal entities, templates, configurations and version identifiers.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectModel else { return false }
        if self === other { return true }
        return entitiesByName == other.entitiesByName
            && versionIdentifiers == other.versionIdentifiers
            && templates == other.templates
            && configurationEntities.mapValues { Set($0.map(\.name)) }
                == other.configurationEntities.mapValues { Set($0.map(\.name)) }
    }

    /// A hash of the entities' names.
    open override var hash: Int { entitiesByName.keys.sorted().hashValue }
}

extension NSManagedObjectModel: Sequence {
    /// Returns an iterator over the entities, as fast enumeration does on Apple's systems.
    public func makeIterator() -> IndexingIterator<[NSEntityDescription]> {
        entities.makeIterator()
    }
}
