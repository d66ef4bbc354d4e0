#if SyncServer
import ArgumentParser
import CoreDataSyncHTTP
import CoreDataSyncServer
import Logging

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serves until it is asked to end (SIGTERM, SIGINT).")

    @OptionGroup var options: ServerOptions

    func run() async throws {
        let configuration = try options.read()
        Descriptors.raiseLimit()
        let lock = try configuration.place.lockForThisProcess()
        var logger = Logger(label: "coredata-syncd")
        logger.logLevel = Logger.Level(rawValue: configuration.logLevel) ?? .info
        let server = try await SyncHTTPServer(configuration, logger: logger)
        let scheme = configuration.tls == nil ? "http" : "https"
        try await server.run { [logger] port in
            logger.notice("Serving", metadata: ["address": "\(scheme)://\(configuration.host):\(port)"])
        }
        withExtendedLifetime(lock) {}
    }
}
#endif
