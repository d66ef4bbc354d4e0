import Foundation

do {
    let options = try Options(CommandLine.arguments.dropFirst())
    let bench = try Workbench(options.sizes)
    let saves = SaveSuites(bench: bench)
    let batches = BatchSuites(bench: bench)
    let suites: [(name: String, make: () throws -> Suite)] = [
        ("fault", FaultSuite(bench).make), ("fetch", FetchSuite(bench: bench).make),
        ("insert", saves.insert), ("update", saves.update), ("delete", saves.delete),
        ("batch update", batches.update), ("batch delete", batches.delete),
        ("batch memory", batches.memory),
        ("property", PropertySuite(bench: bench).make), ("memory", MemorySuite(bench: bench).make),
    ]
    var rows: [Outcome] = []
    for (name, make) in suites where options.wants(name) {
        let suite = try make()
        let measured = try suite.measure(runs: options.runs)
        Report.printHeader(suite)
        Report.print(measured)
        rows += measured
    }
    let regressions = rows.filter { $0.verdict == .regression }.count
    print("\n\(rows.count) rows, medians of \(options.runs) runs, \(regressions) beyond their limit")
    if let path = options.jsonPath { try Report.write(rows, to: path) }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
