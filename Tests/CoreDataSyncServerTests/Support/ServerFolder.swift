import CoreDataSyncCore
import CoreDataSyncServer
import Foundation

/// A place for the data of a server, which goes with the test.
final class ServerFolder: Sendable {
    let place: DataPlace
    #if PostgreSQL
    let schema: TestSchema?
    #endif

    var folder: DataFolder { place.folder }

    init(_ database: TestedDatabase = .sqlite) throws {
        var place = DataPlace(
            folder: DataFolder("\(FileManager.default.temporaryDirectory.path)/syncd-\(UUID().uuidString)"))
        try place.folder.make()
        #if PostgreSQL
        schema = database == .postgreSQL ? try TestSchema() : nil
        place.database = schema?.url
        #endif
        self.place = place
    }

    deinit { try? FileManager.default.removeItem(atPath: folder.path) }

    func database() throws -> any ServerDatabase {
        #if PostgreSQL
        // On a busy machine it may take long until a test gives a lock back.
        if let url = place.database { return try PostgreSQLDatabase(url: url, lockTimeout: 600) }
        #endif
        return try place.open()
    }
    func blobs() throws -> BlobStore { try BlobStore(folder: folder.blobs) }
}
