#if Studio
import Foundation

/// A file that leads the browser to the studio.
///
/// The link is not an argument of the browser's command, since other users of the machine can read those, and
/// its code would let them in. The file can be read by its owner only.
struct BrowserPage: Sendable {
    private let file: URL

    init(leadingTo link: String) throws {
        let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"]
        let folder = runtime.map { URL(fileURLWithPath: $0, isDirectory: true) }
        file = (folder ?? FileManager.default.temporaryDirectory)
            .appendingPathComponent("coredata-studio-\(UUID().uuidString).html")
        let text = """
            <!doctype html><meta charset="utf-8"><title>Core Data Studio</title>
            <meta http-equiv="refresh" content="0;url=\(link)"><a href="\(link)">Core Data Studio</a>

            """
        let descriptor = Glibc.open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
        }
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(text.utf8))
    }

    /// Opens the browser, if this machine has one.
    func open() {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xdg-open", file.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        // Without a browser, the link in the terminal is there.
        try? process.run()
    }

    func remove() { try? FileManager.default.removeItem(at: file) }
}
#endif
