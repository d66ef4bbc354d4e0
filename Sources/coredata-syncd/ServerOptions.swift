#if SyncServer
import ArgumentParser
import CoreDataJSON
import CoreDataSyncServer
import Foundation

/// Where the settings are.
struct ServerOptions: ParsableArguments {
    @Option(help: "A JSON file with settings. Default: COREDATA_SYNCD_CONFIGURATION.")
    var configuration: String?

    @Option(help: "The folder of the data, instead of the one in the settings.")
    var data: String?

    private var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment
        if let data { environment[ServerSettings.prefix + "DATA"] = data }
        return environment
    }

    private func json() throws -> JSONValue? {
        let environment = environment
        guard let path = configuration ?? environment[ServerSettings.prefix + "CONFIGURATION"] else {
            return nil
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ValidationError("\(path) cannot be read")
        }
        do {
            return try JSONParser.parse([UInt8](data))
        } catch {
            throw ValidationError("\(path): \(error)")
        }
    }

    func read() throws -> ServerSettings {
        do {
            return try ServerSettings(try json(), environment: environment)
        } catch let error as ConfigurationError {
            throw ValidationError(error.description)
        }
    }

    /// Returns the folder that the data is or will be in, for which no other setting is needed.
    func place() throws -> DataFolder {
        let variable = environment[ServerSettings.prefix + "DATA"]
        guard let path = try variable ?? json()?["data"]?.string else {
            throw ValidationError(
                "the folder of the data is missing: --data, --configuration or the environment")
        }
        return DataFolder(path)
    }

    /// Returns the folder of data that is there.
    func folder() throws -> DataFolder {
        let folder = try place()
        guard FileManager.default.fileExists(atPath: folder.database) else {
            throw ValidationError("\(folder.path) has no data of a server")
        }
        return folder
    }
}

extension ServerDatabase {
    /// Opens the database of a folder for one command, and closes it.
    static func using<Result>(
        _ folder: DataFolder, _ body: (ServerDatabase) async throws -> Result
    ) async throws -> Result {
        let database = try ServerDatabase(path: folder.database, readers: 1)
        defer { database.close() }
        return try await body(database)
    }
}
#endif
