#if SyncServer
import ArgumentParser
import CoreDataJSON
import CoreDataSyncCore
import CoreDataSyncServer
import Foundation

/// Where the settings are.
struct ServerOptions: ParsableArguments {
    @Option(help: "A JSON file with settings. Default: COREDATA_SYNCD_CONFIGURATION.")
    var configuration: String?

    @Option(help: "The folder of the data, instead of the one in the settings.")
    var data: String?

    @Option(help: "The URL of a database in PostgreSQL, instead of the one in the settings.")
    var database: String?

    private var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment
        if let data { environment[ServerSettings.prefix + "DATA"] = data }
        if let database { environment[ServerSettings.prefix + "DATABASE"] = database }
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

    /// Returns the policy in the settings.
    func policies() throws -> [Role: ChangePolicy] {
        do {
            return try ServerSettings.policies(in: try json())
        } catch let error as ConfigurationError {
            throw ValidationError(error.description)
        }
    }

    /// Returns where the data is or will be, for which no other setting is needed.
    func place() throws -> DataPlace {
        let (environment, json) = (environment, try json())
        guard let path = environment[ServerSettings.prefix + "DATA"] ?? json?["data"]?.string else {
            throw ValidationError(
                "the folder of the data is missing: --data, --configuration or the environment")
        }
        return DataPlace(
            folder: DataFolder(path),
            database: environment[ServerSettings.prefix + "DATABASE"] ?? json?["database"]?.string,
            connections: 2)
    }

    /// Returns where data is that is there.
    func presentPlace() throws -> DataPlace {
        let place = try place()
        if place.database == nil, !FileManager.default.fileExists(atPath: place.folder.database) {
            throw ValidationError("\(place.folder.path) has no data of a server")
        }
        return place
    }

    /// Opens the database for one command, and closes it.
    func withDatabase<Result>(
        _ body: (any ServerDatabase) async throws -> Result
    ) async throws -> Result {
        let database = try presentPlace().open(readers: 1)
        defer { database.close() }
        return try await body(database)
    }
}
#endif
