import CoreDataSyncCore
import CoreDataSyncServer
import Foundation

/// A folder for the data of a server, which goes with the test.
final class ServerFolder: Sendable {
    let folder: DataFolder

    init() throws {
        folder = DataFolder("\(FileManager.default.temporaryDirectory.path)/syncd-\(UUID().uuidString)")
        try folder.make()
    }

    deinit { try? FileManager.default.removeItem(atPath: folder.path) }

    func database() throws -> ServerDatabase { try ServerDatabase(path: folder.database) }
    func blobs() throws -> BlobStore { try BlobStore(folder: folder.blobs) }
}
