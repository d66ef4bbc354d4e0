import CoreDataValues
public import Foundation

extension NSManagedObjectModel {
    /// Makes one model with copies of the entities of several; nil if there are none to merge.
    ///
    /// Entities with the same name must be equal, and the first is kept; different ones trap. Version
    /// identifiers, templates and the entities of each configuration are united.
    public convenience init?(byMerging models: [NSManagedObjectModel]?) {
        guard let models, !models.isEmpty else { return nil }
        self.init()
        for model in models { absorb(model) }
    }

    /// Makes one model with the entities that a store was made with, each taken from the first model that has
    /// it in that version; nil if some are missing.
    public convenience init?(
        byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]
    ) {
        guard let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return nil }
        var chosen: [String: NSEntityDescription] = [:]
        for model in models {
            for (name, hash) in model.entityVersionHashesByName
            where stored[name] == hash && chosen[name] == nil {
                chosen[name] = model.entitiesByName[name]
            }
        }
        guard chosen.count == stored.count else { return nil }
        self.init()
        sourceURL =
            models.first { $0.entityVersionHashesByName == stored }?.sourceURL ?? models.first?.sourceURL
        take(chosen)
        for model in models where model.entityVersionHashesByName.allSatisfy({ stored[$0] == $1 }) {
            takeRest(of: model)
        }
    }

    /// Returns the model that a store was made with, from the versions in bundles; nil if there is none.
    ///
    /// - Parameters:
    ///   - bundles: The bundles to search; nil stands for the program, as with `mergedModel(from:)`.
    ///   - metadata: The metadata of the store.
    public class func mergedModel(
        from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
    ) -> NSManagedObjectModel? {
        guard let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return nil }
        return version(of: stored, in: bundles)
            ?? NSManagedObjectModel(byMerging: allVersions(in: bundles), forStoreMetadata: metadata)
    }

    private func absorb(_ model: NSManagedObjectModel) {
        let present = entitiesByName
        var added: [String: NSEntityDescription] = [:]
        for (name, entity) in model.entitiesByName {
            guard let existing = present[name] else {
                added[name] = entity
                continue
            }
            if existing != entity {
                programmerError("Can't merge models with two different entities named '\(name)'.")
            }
        }
        take(added)
        takeRest(of: model)
        sourceURL = sourceURL ?? model.sourceURL
    }

    /// Adds copies of entities, each as a subentity of the entity with its parent's name.
    private func take(_ originals: [String: NSEntityDescription]) {
        let copies = originals.mapValues { $0.shallowCopy() }
        let all = entitiesByName.merging(copies) { existing, _ in existing }
        for (name, copy) in copies.sorted(by: \.key) {
            guard let parent = originals[name]?.superentity?.name else { continue }
            all[parent]?.subentities.append(copy)
        }
        entities = storedEntities + copies.sorted(by: \.key).map(\.value)
    }

    private func takeRest(of model: NSManagedObjectModel) {
        let byName = entitiesByName
        versionIdentifiers.formUnion(model.versionIdentifiers)
        for (name, members) in model.configurationEntities {
            let known = configurationEntities[name] ?? []
            let names = Set(known.map(\.name))
            configurationEntities[name] =
                known + members.filter { !names.contains($0.name) }.compactMap { byName[$0.name ?? ""] }
        }
        for (name, template) in model.templates where templates[name] == nil {
            templates[name] = template.copy(for: byName)
        }
        localizationDictionary =
            localizationDictionary.map {
                $0.merging(model.localizationDictionary ?? [:]) { mine, _ in mine }
            } ?? model.localizationDictionary
    }
}

extension NSFetchRequest<any NSFetchRequestResult> {
    /// Returns a copy for the entity of the same name in `entities`.
    func copy(for entities: [String: NSEntityDescription]) -> NSFetchRequest<any NSFetchRequestResult> {
        let copy = FetchRequestStorage(storage)
        copy.entity = copy.entity.flatMap { entities[$0.name ?? ""] }
        return NSFetchRequest(sharing: copy)
    }
}
