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
    var compilation = try ModelCompilation(invocation, read: parser.read)
    let overlay = ModuleOverlay(
        compilation.sources.map(parser.parsed), library: compilation.library,
        documents: compilation.documents)
    for refusal in overlay.refusals { compilation.report(refusal) }
    let isWritten = try compilation.write(ported: overlay.declarations) {
        try OverlayWriter(file: file).write(overlay)
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
