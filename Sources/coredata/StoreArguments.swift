import ArgumentParser
import CoreDataTool
import Foundation

/// The store that a command reads.
struct StoreArguments: ParsableArguments {
    @Argument(help: "The store: a file, or a postgresql:// URL.", completion: .file())
    var store: String

    @Option(
        help: ArgumentHelp(
            "A model to read it with, instead of the one the store carries.",
            discussion: ModelArgument.kinds,
            valueName: "file"),
        completion: .file(extensions: ["xcdatamodeld", "xcdatamodel", "momd", "mom"]))
    var model: String?

    func opened() throws -> OpenedStore {
        try OpenedStore(at: URL(store: store), model: model.map(URL.init(store:)))
    }
}
