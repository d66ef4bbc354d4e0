import CoreData
import Foundation

extension StoreConformance {
    static let reopening: [Rule] = [
        Rule("Everything is there when the store is opened again", needs: .persistence) { stage in
            try populate(stage.context)
            stage.insert(
                "Sample", ["name": "ünï <&>\n\t", "data": Data([1, 2]), "list": ["a"], "flag": true])
            let ordered = try stage.first("Employee", "name == 'Çelik'")
            let steps = ordered.orderedNames("steps")
            try stage.context.save()
            let identifier = stage.store.identifier
            let uri = ordered.objectID.uriRepresentation()
            let before = try description(stage.context)
            try stage.reopen()
            try expect(stage.store.identifier, is: identifier, "the store's identifier")
            try expect(try description(stage.context), is: before, "what is in the store")
            guard let id = stage.coordinator.managedObjectID(forURIRepresentation: uri) else {
                throw ConformanceFailure(description: "\(uri) leads to nothing.")
            }
            let found = try stage.context.existingObject(with: id)
            try expect(found.orderedNames("steps"), is: steps, "the steps")
        },
        Rule("Keys are not handed out twice, even of objects that are gone", needs: .persistence) { stage in
            let first = stage.insert("Tag", ["name": "1"])
            let second = stage.insert("Tag", ["name": "2"])
            try stage.context.save()
            let (kept, gone) = (first.objectID.uriRepresentation(), second.objectID.uriRepresentation())
            stage.context.delete(second)
            try stage.context.save()
            try stage.reopen()
            let third = stage.insert("Tag", ["name": "3"])
            try stage.context.save()
            let uri = third.objectID.uriRepresentation()
            try expect(uri != kept, "The ID \(uri) was handed out twice.")
            try expect(uri != gone || gone == kept, "The ID \(uri) was handed out twice.")
        },
        Rule("Changes and deletions are kept", needs: .persistence) { stage in
            try populate(stage.context)
            try stage.reopen()
            let sales = try stage.first("Department", "name == 'Sales'")
            sales.setValue("Marketing", forKey: "name")
            stage.context.delete(try stage.first("Department", "name == 'Research'"))
            let red = try stage.first("Tag", "name == 'red'")
            red.setValue(NSSet(), forKey: "employees")
            try stage.context.save()
            let before = try description(stage.context)
            try stage.reopen()
            try expect(try description(stage.context), is: before, "what is in the store")
            try expect(try stage.first("Tag", "name == 'red'").names("employees"), is: [], "employees")
        },
        Rule("Metadata of the app's own is kept", needs: [.persistence, .metadata]) { stage in
            var metadata = stage.coordinator.metadata(for: stage.store)
            metadata["com.example.note"] = "hello"
            stage.coordinator.setMetadata(metadata, for: stage.store)
            stage.insert("Tag", ["name": "x"])
            try stage.context.save()
            try stage.reopen()
            let found = stage.coordinator.metadata(for: stage.store)
            try expect(found["com.example.note"] as? String, is: "hello", "the note")
            try expect(found[NSStoreTypeKey] as? String, is: stage.conformance.storeType, "the type")
            try expect(found[NSStoreUUIDKey] as? String, is: stage.store.identifier, "the UUID")
        },
        Rule("A store does not open with another model", needs: [.persistence, .metadata]) { stage in
            stage.insert("Tag", ["name": "x"])
            try stage.context.save()
            try stage.coordinator.remove(stage.store)
            let model = stage.conformance.model()
            model.entitiesByName["Tag"]?.properties.removeAll { $0.name == "name" }
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let problem = try error("addPersistentStore") {
                try coordinator.addPersistentStore(
                    ofType: stage.conformance.storeType, configurationName: nil, at: stage.url,
                    options: stage.conformance.options())
            }
            try expect(
                problem.code, is: NSPersistentStoreIncompatibleVersionHashError, "the code of the error")
        },
    ]

    /// Describes every object with its values and relationships, in a fixed order.
    private static func description(_ context: NSManagedObjectContext) throws -> [String] {
        context.reset()
        var lines: [String] = []
        for entity in ["Sample", "Employee", "Department", "Tag", "Step"] {
            for object in try context.objects(entity) {
                let values = object.entity.attributesByName.values
                    .filter { !$0.isTransient && !($0 is NSDerivedAttributeDescription) }
                    .sorted { $0.name < $1.name }
                    .map { "\($0.name)=\(object.value(forKey: $0.name) ?? "nil")" }
                let links = object.entity.relationshipsByName.values.sorted { $0.name < $1.name }.map {
                    link in
                    let members: [NSManagedObject?] =
                        switch object.value(forKey: link.name) {
                        case let set as Set<NSManagedObject>: Array(set)
                        case let set as NSOrderedSet: set.array.map { $0 as? NSManagedObject }
                        case let value: [value as? NSManagedObject]
                        }
                    let names = members.compactMap { $0?.name }
                    return "\(link.name)=\(link.isOrdered ? names : names.sorted())"
                }
                lines.append("\(object.entity.name ?? "") \(values) \(links)")
            }
        }
        return lines.sorted()
    }
}
