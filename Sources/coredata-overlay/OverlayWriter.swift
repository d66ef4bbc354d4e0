#if Overlay
import CoreDataCodegen
import CoreDataModelFormat
import CoreDataPorting
import Foundation

/// The writer of the overlay of a module: the ported sources, and the index file that leads the compiler to
/// them.
struct OverlayWriter {
    let file: URL
    /// The folder of the ported sources.
    private let folder: URL
    private let files = ModelFileSystem()

    init(file: String) {
        self.file = URL(fileURLWithPath: file)
        folder = self.file.deletingPathExtension()
    }

    /// Writes the ported sources first, so that every file that the index names exists.
    ///
    /// Returns the content for the generated file. If sources were ported, the compiler reads the generated
    /// text through the index as well; a compiler that does not read the index finds an error in the file.
    func write(_ overlay: ModuleOverlay, generated: WrittenFile) throws -> String {
        var texts = overlay.ports.filter(\.isNeeded).map { port in
            WrittenFile(path: port.source.path, text: port.text)
        }
        let isNeeded = !texts.isEmpty
        if isNeeded { texts.append(generated) }
        let copies = texts.map { (original: $0.path, copy: folder.path + $0.path) }
        for (text, copy) in zip(texts, copies) {
            try write(Data(text.text.utf8), to: URL(fileURLWithPath: copy.copy))
        }
        try write(ModuleOverlay.index(of: copies), to: file)
        removeAll(but: Set(copies.map(\.copy)))
        return isNeeded ? generated.text + unreadIndex : generated.text
    }

    /// The error of a build whose compiler does not read the index.
    private var unreadIndex: String {
        let name = file.lastPathComponent
        return """

            #error("the sources of this target were ported, but the compiler does not read the ported texts: \
            add to the target in Package.swift: swiftSettings: [.unsafeFlags([\\"-vfsoverlay\\", \
            Context.packageDirectory + \\"/.build/CoreDataOverlay/\(name)\\"], .when(platforms: [.linux]))],")

            """
    }

    private func write(_ data: Data, to url: URL) throws {
        try files.createDirectory(at: url.deletingLastPathComponent())
        try files.write(data, to: url)
    }

    /// Removes ported copies of sources that no longer exist or no longer need one.
    private func removeAll(but kept: Set<String>) {
        let present = FileManager.default.subpaths(atPath: folder.path) ?? []
        for path in present.map({ folder.path + "/" + $0 })
        where path.hasSuffix(".swift") && !kept.contains(path) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}

/// A file that the tool writes: its path and its content.
struct WrittenFile {
    let path: String
    let text: String
}
#endif
