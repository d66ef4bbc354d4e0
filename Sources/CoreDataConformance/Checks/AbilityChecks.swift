import CoreData
import Foundation

extension StoreConformance {
    static let abilities: [Rule] = [
        Rule("A read-only store reads and refuses to be written", needs: .persistence) { stage in
            stage.insert("Tag", ["name": "x"])
            try stage.context.save()
            try stage.coordinator.remove(stage.store)
            var options = stage.conformance.options()
            options[NSReadOnlyPersistentStoreOption] = true as NSNumber
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stage.conformance.model())
            try coordinator.addPersistentStore(
                ofType: stage.conformance.storeType, configurationName: nil, at: stage.url, options: options)
            let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            guard let tag = try context.objects("Tag").first else {
                throw ConformanceFailure(description: "The read-only store has no tag.")
            }
            tag.setValue("y", forKey: "name")
            _ = try error("save() to a read-only store") { try context.save() }
            try expect(tag.name, is: "y", "the unsaved name")
        },
        Rule("Batch requests change rows", needs: .batches) { stage in
            try populate(stage.context)
            let update = NSBatchUpdateRequest(entityName: "Employee")
            update.predicate = NSPredicate(format: "age > 22")
            update.propertiesToUpdate = ["age": 0]
            update.resultType = .updatedObjectsCountResultType
            let expected = try stage.fetch("Employee", "age > 22").count
            let result = try stage.context.execute(update) as? NSBatchUpdateResult
            try expect(result?.result as? Int, is: expected, "how many were updated")
            try expect(
                try stage.sibling().objects("Employee", NSPredicate(format: "age > 22")).count, is: 0,
                "the rest")
        },
        Rule("A pinned context does not see later saves", needs: .generations) { stage in
            try populate(stage.context)
            let pinned = stage.sibling()
            try pinned.setQueryGenerationFrom(.current)
            try expect(try pinned.objects("Tag").count, is: 3, "the tags")
            stage.insert("Tag", ["name": "new"])
            stage.context.delete(try stage.first("Tag", "name == 'red'"))
            try stage.context.save()
            try expect(
                Set(try pinned.objects("Tag").compactMap(\.name)), is: ["red", "green", "Blue"], "the tags")
            try pinned.setQueryGenerationFrom(.current)
            try expect(
                Set(try pinned.objects("Tag").compactMap(\.name)), is: ["new", "green", "Blue"], "the tags")
        },
    ]
}
