import CoreData
package import CoreDataModelFormat
package import Foundation

/// A SQLite store without objects, in a folder that is removed with this value. It shows the statements of a
/// migration to somebody who has no store of the model.
package final class EmptyStore {
    package let url: URL

    package init(of document: ModelDocument) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("empty-\(UUID())")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        url = folder.appendingPathComponent("Empty.sqlite")
        let model = try NSManagedObjectModel(PlainModel.document(from: document))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        try coordinator.remove(store)
    }

    deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
}
