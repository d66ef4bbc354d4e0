import CoreDataSQL
import CoreDataStore
import Foundation

/// A new store that is not at its path yet.
struct StoreBirth {
    let new: NewStoreSchema
    let metadata: StoredMetadata
    /// The archived model, not yet compressed.
    private let modelCache: Data?
    private let options: DatabaseOptions

    init(
        _ new: NewStoreSchema, _ metadata: StoredMetadata, _ modelCache: Data?, _ options: DatabaseOptions
    ) {
        self.new = new
        self.metadata = metadata
        self.modelCache = modelCache
        self.options = options
    }

    /// Makes the store in a draft folder and moves it to a path where there is no file. Throws an error of
    /// kind `overtaken` if another process has meanwhile made a file there.
    func publish(at path: String) throws(StoreError) {
        let draft = try DraftFolder(beside: URL(fileURLWithPath: path))
        try withExtendedLifetime(draft) { () throws(StoreError) in
            let file = draft.url.path
            try SQLiteStores.translated(file) { () throws(SQLError) in
                let connection = try SQLiteConnection(path: file, access: .scratch)
                defer { connection.close() }
                // The file is synchronized once, when it is complete.
                try connection.execute("PRAGMA synchronous = OFF")
                try connection.shape()
                try fill(connection)
            }
            try FileSystem.synchronize(file: file)
            guard try SQLiteStores.put(file, at: path, options.timeout, if: { $0 == nil }) else {
                throw SQLiteStores.overtaken(path)
            }
        }
    }

    /// Makes the store in a database without tables. It takes one transaction, since other connections may
    /// have the database open. Throws an error of kind `moved` if another process has meanwhile made a store
    /// in it.
    func fill(_ path: String) throws(SQLError) {
        let connection = try SQLiteConnection(path: path, access: .readWrite, timeout: options.timeout)
        defer {
            connection.rollback()
            connection.close()
        }
        try connection.repeatedly(options.timeout) { () throws(SQLError) in
            if try connection.isEmpty() { try connection.shape() }
        }
        try fill(connection)
    }

    private func fill(_ connection: SQLiteConnection) throws(SQLError) {
        try connection.begin(.immediate)
        guard try connection.isEmpty() else { throw SQLError.moved }
        var statements = new.statements
        statements.append(Bookkeeping.insertMetadata(uuid: metadata.uuid, plist: metadata.plist))
        if let content = modelCache.flatMap(Deflate.compress) {
            statements.append(Bookkeeping.insertModelCache(content))
        }
        if options.tracksHistory { statements += HistorySchema(new.schema).statements(in: SQLiteDialect()) }
        for fragment in statements { try connection.run(fragment) }
        try connection.commit()
    }
}
