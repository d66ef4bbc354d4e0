import ArgumentParser
import CoreDataTool
import Foundation

/// The store that a command reads.
struct StoreArguments: ParsableArguments {
    @Argument(help: "The store's file.", completion: .file())
    var store: String

    @Option(
        help: ArgumentHelp(
            "A model to read it with, instead of the one the store carries.",
            discussion: ModelArgument.kinds,
            valueName: "file"),
        completion: .file(extensions: ["xcdatamodeld", "xcdatamodel", "momd", "mom"]))
    var model: String?

    func opened() throws -> OpenedStore {
        try OpenedStore(at: URL(fileURLWithPath: store), model: model.map { URL(fileURLWithPath: $0) })
    }
}
