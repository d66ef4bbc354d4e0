#if SyncServer
import ArgumentParser
import CoreDataJSON
import CoreDataSyncCore
import CoreDataSyncServer
import Foundation

struct ModelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Prints the model whose rules the server follows, or gives it another one.",
        discussion: """
            Devices add what a newer version of their model has. Rules that an older version contradicts, such as a \
            minimum count or a delete rule, count once the operator gives the model that has them.
            """)

    @OptionGroup var options: ServerOptions
    @Option(help: "A JSON file as this command prints it. Restart the server afterwards.") var set: String?

    func run() async throws {
        let path = set
        try await options.withDatabase { database in
            guard let path else {
                guard let schema = try await database.read({ try ServerFacts($0).model() }) else {
                    throw ValidationError("no device has said hello yet")
                }
                print(schema.model.wire.json.indented)
                return
            }
            guard let data = FileManager.default.contents(atPath: path) else {
                throw ValidationError("\(path) cannot be read")
            }
            let model: SyncModel
            do {
                model = try SyncModel(wire: WireValue(json: JSONParser.parse([UInt8](data))))
                _ = try model.compiled()
            } catch {
                throw ValidationError("\(path): \(error)")
            }
            try await database.write { try ServerFacts($0).set(model) }
        }
    }
}
#endif
