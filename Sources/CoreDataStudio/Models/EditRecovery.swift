import CoreDataJSON
import CoreDataModelFormat
package import CoreDataModelSource
package import Foundation

/// The unsaved edits of a model in a file, so that they outlive a program that ends without saving them.
///
/// Each program that has the model open has a file of its own, which names its process. The files that no
/// living process has are offered when the model is opened again.
package struct EditRecovery: Sendable {
    private let folder: URL
    private let model: URL
    /// The file of this program. Models whose marks are the same are told apart by their paths.
    private let file: URL

    /// - Parameters:
    ///   - folder: The folder of such files, which is made at need, for this user alone.
    ///   - process: The process that keeps its edits.
    package init(
        of model: URL, in folder: URL, process: Int32 = ProcessInfo.processInfo.processIdentifier
    ) {
        self.folder = folder
        self.model = model.standardizedFileURL
        let mark = StateFile.mark(of: self.model)
        file = folder.appendingPathComponent("\(mark).\(process).\(UUID().uuidString).json")
    }

    // MARK: Keeping

    /// Keeps a model and the one on disk that it was made of.
    package func keep(_ edited: ModelPackage, over base: PackageFiles) throws {
        let save = try PackageSave(edited, over: base)
        var contents = base.contents
        for operation in save.operations {
            switch operation {
            case .write(let path, let data, _): contents[path] = data
            case .removeVersion(let name, _): contents[PackageFiles.contents(ofVersion: name)] = nil
            case .leave: break
            }
        }
        let json = JSONValue.object([
            .init("model", .string(model.path)), .init("base", Self.json(base.contents)),
            .init("edited", Self.json(contents)),
        ])
        try StateFile.write(Data(json.line.utf8), to: file)
    }

    /// Drops what was kept, since nothing is unsaved.
    func drop() { unlink(file.path) }

    private static func json(_ files: [String: Data]) -> JSONValue {
        .object(
            files.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value.base64EncodedString())) })
    }

    // MARK: Offering

    /// Edits that a program left behind.
    struct Offer: Sendable {
        let file: URL
        let date: Date
        let base: ModelPackage
        let edited: ModelPackage
    }

    /// The edits that programs left behind which are gone, the newest first. A file that cannot be read is
    /// no offer.
    var offers: [Offer] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter(isAbandoned).compactMap { offer(folder.appendingPathComponent($0)) }
            .sorted { $0.date > $1.date }
    }

    private func isAbandoned(_ name: String) -> Bool {
        let parts = name.split(separator: ".")
        guard parts.count == 4, parts[3] == "json", parts[0] == StateFile.mark(of: model),
            let process = pid_t(parts[1])
        else { return false }
        if process == ProcessInfo.processInfo.processIdentifier { return false }
        return kill(process, 0) != 0 && errno == ESRCH
    }

    private func offer(_ file: URL) -> Offer? {
        guard let json = StateFile.json(in: file),
            json["model"]?.string == model.path,
            let base = files(json["base"]), let edited = files(json["edited"]),
            let former = try? package(base), let latter = try? package(edited)
        else { return nil }
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        let date = attributes?[.modificationDate] as? Date ?? .distantPast
        return Offer(file: file, date: date, base: former, edited: latter)
    }

    private func files(_ json: JSONValue?) -> PackageFiles? {
        guard case .object(let members)? = json else { return nil }
        let files = members.compactMap { member in
            member.value.string.flatMap { Data(base64Encoded: $0) }.map { (member.key, $0) }
        }
        return PackageFiles(Dictionary(files) { first, _ in first })
    }

    /// Reads files as the package that they would be.
    private func package(_ files: PackageFiles) throws -> ModelPackage {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("recovery-\(UUID())")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let name = model.lastPathComponent == "contents" ? model.deletingLastPathComponent() : model
        let copy = scratch.appendingPathComponent(name.lastPathComponent)
        for (path, data) in files.contents where !path.split(separator: "/").contains("..") {
            let file = copy.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try data.write(to: file)
        }
        return try ModelPackage.read(at: copy)
    }
}
