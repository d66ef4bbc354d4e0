import CoreDataCodegen
import Foundation

do {
    var compilation = try ModelCompilation(Invocation(Array(CommandLine.arguments.dropFirst())))
    let dependencies = compilation.library.dependencyNames
    let uses = compilation.sources.lazy.compactMap { $0.unportedUse(besides: dependencies) }
    if let use = uses.first { compilation.report(use) }
    exit(try compilation.write() ? 0 : 1)
} catch {
    let report = (error as? UnreadableSource)?.report ?? "error: \(error)"
    FileHandle.standardError.write(Data((report + "\n").utf8))
    exit(1)
}
