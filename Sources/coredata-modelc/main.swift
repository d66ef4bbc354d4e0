import CoreDataCodegen
import Foundation

do {
    var run = try PluginRun(Invocation(Array(CommandLine.arguments.dropFirst())))
    let dependencies = run.library.dependencyNames
    let uses = run.sources.lazy.compactMap { $0.unportedUse(besides: dependencies) }
    if let use = uses.first { run.report(use) }
    exit(try run.write() ? 0 : 1)
} catch {
    let report = (error as? UnreadableSource)?.report ?? "error: \(error)"
    FileHandle.standardError.write(Data((report + "\n").utf8))
    exit(1)
}
