import CoreDataCodegen
import Foundation

#if Overlay
import CoreDataPorting

do {
    let invocation = try Invocation(Array(CommandLine.arguments.dropFirst()))
    guard let file = invocation.overlay else {
        throw Invocation.UsageError(description: "--overlay is required")
    }
    let parser = SourceParser()
    var run = try PluginRun(invocation, read: parser.read)
    let overlay = ModuleOverlay(
        run.sources.map(parser.parsed), library: run.library,
        documents: run.documents)
    for refusal in overlay.refusals { run.report(refusal) }
    let isWritten = try run.write(ported: overlay.declarations) { text in
        try OverlayWriter(file: file).write(
            overlay, generated: WrittenFile(path: invocation.swiftFile, text: text))
    }
    exit(isWritten ? 0 : 1)
} catch {
    FileHandle.standardError.write(Data("error: \(error)\n".utf8))
    exit(1)
}
#else
FileHandle.standardError.write(
    Data(
        "error: CoreDataOverlayPlugin needs `traits: [\"Overlay\"]` in the dependency on OpenCoreData\n".utf8)
)
exit(1)
#endif
