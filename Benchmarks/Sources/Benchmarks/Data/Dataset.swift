import CoreData
import Foundation

/// A model with two stores, an empty one and a full one. Suites that write work on copies of them.
final class Dataset {
    let model: NSManagedObjectModel
    let emptyPath: String
    let fullPath: String
    private let folder: ScratchFolder

    init(
        _ name: String, in folder: ScratchFolder, _ model: NSManagedObjectModel,
        _ fill: (NSManagedObjectContext) throws -> Void
    ) throws {
        self.model = model
        self.folder = folder
        emptyPath = folder.path("\(name)-empty.sqlite")
        fullPath = folder.path("\(name)-full.sqlite")
        try Stack(emptyPath, model).close()
        try FileManager.default.copyItem(atPath: emptyPath, toPath: fullPath)
        let stack = try openFull()
        let context = stack.makeContext()
        try fill(context)
        try context.save()
        context.reset()
        try stack.close()
    }

    func openFull() throws -> Stack { try Stack(fullPath, model) }

    // MARK: On a copy

    func withCopy<Result>(full: Bool, _ body: (String) throws -> Result) throws -> Result {
        try folder.withCopy(of: full ? fullPath : emptyPath, body)
    }

    func inCoreData(
        full: Bool, options: [AnyHashable: Any]? = nil, _ body: (NSManagedObjectContext) throws -> Double
    ) throws -> Double {
        try withCopy(full: full) { path in
            let stack = try Stack(path, model, options)
            let cost = try body(stack.makeContext())
            try stack.close()
            return cost
        }
    }

    func inC(full: Bool, _ body: (RawStore) throws -> Double) throws -> Double {
        try withCopy(full: full) { try body(RawStore($0)) }
    }
}
