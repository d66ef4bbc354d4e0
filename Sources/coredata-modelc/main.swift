import Foundation

do {
    let invocation = try Invocation(Array(CommandLine.arguments.dropFirst()))
    let succeeded = try ModelCompilation(invocation).run()
    exit(succeeded ? 0 : 1)
} catch {
    FileHandle.standardError.write(Data("error: \(error)\n".utf8))
    exit(1)
}
