import Testing

/// The program that works on stores in ways that this process cannot: it is stopped in the middle, and links
/// no driver but SQLite's.
enum StoreWorker {
    /// Runs the program and records what it finds wrong.
    static func run(_ arguments: [String]) async throws {
        let folder = try ScratchFolder()
        let process = try TestProcess(program: "store-worker", in: folder, arguments: arguments)
        let isWell = await process.ended()
        let lines = process.output.split(separator: "\n")
        let problems = lines.filter { !$0.hasSuffix(" 0 problems") }.joined(separator: "\n")
        #expect(isWell, "\(process.ending): \(problems)")
        #expect(problems.isEmpty, "\(process.ending): \(problems)")
        #expect(!lines.isEmpty)
    }
}
