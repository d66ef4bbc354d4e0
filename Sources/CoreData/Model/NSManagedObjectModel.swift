import CoreDataModelFormat
public import Foundation
import Synchronization

/// A model: the entities whose objects a store holds.
///
/// A model can be changed until a persistent store coordinator uses it; from then on every setter of the model
/// and its descriptions traps. Loading is in `NSManagedObjectModel+Loading.swift`, merging in `+Merging.swift`,
/// versions and compatibility in `+Versions.swift`.
open class NSManagedObjectModel: NSObject, NSCoding, NSCopying {
    final var storedEntities: [NSEntityDescription] = []
    final var configurationEntities: [String: [NSEntityDescription]] = [:]
    final var templates: [String: NSFetchRequest<any NSFetchRequestResult>] = [:]
    /// The compiled form, made when the model is first used.
    final let frozen = Mutex<FrozenModel?>(nil)
    /// The hashes as they were when they were last asked for.
    final let lastHashes = Mutex<(of: ModelDocument, hashes: VersionHashes)?>(nil)
    /// Entity names to entities, from the moment the model freezes.
    final var frozenEntitiesByName: [String: NSEntityDescription]?
    /// Where the model was read from; its folder says where its classes are.
    final var sourceURL: URL?

    public required override init() {}

    final var isFrozen: Bool { frozenEntitiesByName != nil }

    // MARK: Entities

    /// The entities.
    ///
    /// Subentities of an entity belong to the model whether they are listed or not, and an entity of another
    /// model moves here.
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

    open var entitiesByName: [String: NSEntityDescription] {
        frozenEntitiesByName ?? Dictionary(storedEntities.map { ($0.name ?? "", $0) }) { first, _ in first }
    }

    /// Takes in subentities given to an entity that is here already.
    final func adoptSubentities() {
        entities = storedEntities
    }

    private static func withSubentities(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
        var seen: Set<ObjectIdentifier> = []
        return (entities + entities.flatMap(\.family)).filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    /// Points relationships and templates at the entities of this model.
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

    open var configurations: [String] { configurationEntities.keys.sorted() }

    /// The entities of a configuration; all of them for nil, nil for an unknown name.
    open func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let configuration, configuration != Self.defaultConfigurationName else { return entities }
        return configurationEntities[configuration]
    }

    /// The name under which every store has all entities.
    static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

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

    /// Texts that replace entity and property names in messages: `Entity/Person`,
    /// `Property/name/Entity/Person`.
    ///
    /// May be set while the model is in use.
    open var localizationDictionary: [String: String]?

    /// Free names for this version, written into the metadata of stores.
    open var versionIdentifiers: Set<AnyHashable> = [] { willSet { requireMutable() } }

    final func requireMutable() {
        if isFrozen { immutableModelError() }
    }

    open override var description: String {
        "(<NSManagedObjectModel>) isEditable \(!isFrozen), entities \(entitiesByName.keys.sorted()), "
            + "fetch request templates \(templates.keys.sorted())"
    }

    // MARK: Templates

    open var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] { templates }

    /// The template itself, which cannot be changed once the model is in use: change a copy.
    open func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        templates[name]
    }

    open func setFetchRequestTemplate(
        _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
    ) {
        requireMutable()
        templates[name] = fetchRequestTemplate
    }

    /// A copy of the template with a value for each `$name` of its predicate; nil without such a template.
    ///
    /// A variable that `variables` leaves out traps, as an incomplete predicate could match anything.
    open func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        guard let template = fetchRequestTemplate(forName: name) else { return nil }
        let request = template.copy() as! NSFetchRequest<any NSFetchRequestResult>
        request.predicate = template.predicate?.withSubstitutionVariables(variables)
        return request
    }

    // MARK: Versions

    /// What tells versions of an entity apart (version-hash §2), by entity name.
    open var entityVersionHashesByName: [String: Data] { versionHashes.byEntity }

    /// One text that tells versions of the model apart (version-hash §3).
    open var versionChecksum: String { versionHashes.checksum }

    /// Whether a store with this metadata can be opened with the entities of a configuration: every entity of
    /// the configuration is in the store in the same version, and nothing else is.
    open func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool {
        hasEntities(of: configuration, inVersionsOf: metadata)
    }

    // MARK: Copying, coding, equality

    /// A copy that can be changed, with copies of every description, linked among themselves.
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

    /// Writes the model as a compiled model, the format of a `.mom` file.
    open func encode(with coder: NSCoder) {
        do {
            coder.encode(try archived() as NSData, forKey: Self.archiveKey)
        } catch {
            coder.failWithError(error)
        }
    }

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

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectModel else { return false }
        if self === other { return true }
        return entitiesByName == other.entitiesByName
            && versionIdentifiers == other.versionIdentifiers
            && templates == other.templates
            && configurationEntities.mapValues { Set($0.map(\.name)) }
                == other.configurationEntities.mapValues { Set($0.map(\.name)) }
    }

    open override var hash: Int { entitiesByName.keys.sorted().hashValue }
}

extension NSManagedObjectModel: Sequence {
    /// The entities, as fast enumeration over a model gives them.
    public func makeIterator() -> IndexingIterator<[NSEntityDescription]> {
        entities.makeIterator()
    }
}
