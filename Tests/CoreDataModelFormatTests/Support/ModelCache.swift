import Foundation

/// Inflates the model cache of a store with Python, since this layer knows neither SQLite nor zlib.
enum ModelCache {
    static let isReadable = Corpus.isPresent && (try? run("import sqlite3, zlib")) != nil

    static func inflated(fromStore path: String) throws -> Data {
        try run(
            """
            import sqlite3, sys, zlib
            store = sqlite3.connect('file:' + sys.argv[1] + '?mode=ro&immutable=1', uri=True)
            blob = store.execute('SELECT Z_CONTENT FROM Z_MODELCACHE').fetchone()[0]
            sys.stdout.buffer.write(zlib.decompress(blob, -15))
            """, path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)!)
    }

    struct Failure: Error {}

    private static func run(_ script: String, _ arguments: String...) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure() }
        return data
    }
}
