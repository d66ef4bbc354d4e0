import Foundation

do {
    let options = try Options(CommandLine.arguments.dropFirst())
    if let operation = options.operation {
        try operation.run(options.units, inC: options.inC, tracksHistory: options.tracksHistory)
        exit(0)
    }
    if let url = options.writtenURL {
        try Writer(url).run(options.hasUnits ? options.units : 0)
        exit(0)
    }
    let suites = Suites(bench: try Workbench(options.sizes), serverURL: options.serverURL)
    if options.lists {
        for entry in suites.all { print(entry.name) }
        exit(0)
    }
    var rows: [Outcome] = []
    for entry in suites.all where options.wants(entry.name) {
        for suite in try entry.make() {
            let measured = try suite.measure(runs: options.runs)
            Report.printHeader(suite)
            Report.print(measured)
            rows += measured
        }
    }
    let regressions = rows.filter { $0.verdict == .regression }.count
    print("\n\(rows.count) rows, medians of \(options.runs) runs, \(regressions) beyond their limit")
    if let path = options.jsonPath { try Report.writeJSON(rows, to: path) }
    if let path = options.markdownPath { try Report.writeMarkdown(rows, to: path) }
    if let path = options.plotPath { try Plot(rows).write(to: path) }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
