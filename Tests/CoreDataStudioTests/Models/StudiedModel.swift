import CoreDataJSON
import CoreDataStudio
import CoreDataStudioInterface
import Foundation
import Synchronization

/// A model in a folder of its own, opened by a studio, without a server.
final class StudiedModel {
    let folder: URL
    let url: URL
    private(set) var studio: Studio
    private let isReadOnly: Bool
    /// The time that the studio sees.
    private let time = Clock()

    final class Clock: Sendable {
        let now = Mutex(Duration.zero)
    }

    /// - Parameter versions: The contents of the versions by name; the current one is the last.
    init(
        _ versions: KeyValuePairs<String, String> = ["Library": libraryText], isReadOnly: Bool = false,
        copying original: URL? = nil
    ) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("studio-\(UUID())")
        self.isReadOnly = isReadOnly
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if let original {
            url = folder.appendingPathComponent(original.lastPathComponent)
            try FileManager.default.copyItem(at: original, to: url)
        } else {
            url = folder.appendingPathComponent("Library.xcdatamodeld")
            for (name, text) in versions { try Self.write(text, version: name, in: url) }
            if let current = versions.last?.key, versions.count > 1 {
                let list = ["_XCCurrentVersionName": "\(current).xcdatamodel"]
                let data = try PropertyListSerialization.data(
                    fromPropertyList: list, format: .xml, options: 0)
                try data.write(to: url.appendingPathComponent(".xccurrentversion"))
            }
        }
        studio = try Self.open(url, folder, isReadOnly, time)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Opens the model anew, as a studio that is started again.
    func restart() throws { studio = try Self.open(url, folder, isReadOnly, time) }

    private static func open(_ url: URL, _ folder: URL, _ isReadOnly: Bool, _ time: Clock) throws -> Studio {
        var options = StudioOptions(files: [url], root: folder)
        options.isReadOnly = isReadOnly
        options.stateFolder = folder.appendingPathComponent("state")
        options.lookInterval = nil
        options.now = { time.now.withLock { $0 } }
        return try Studio(options)
    }

    var stateFolder: URL { folder.appendingPathComponent("state") }

    func pass(_ duration: Duration) { time.now.withLock { $0 += duration } }

    // MARK: Files

    func write(_ text: String, version: String = "Library") throws {
        try Self.write(text, version: version, in: url)
    }

    private static func write(_ text: String, version: String, in url: URL) throws {
        let folder = url.appendingPathComponent("\(version).xcdatamodel")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appendingPathComponent("contents"), options: .atomic)
    }

    func text(version: String = "Library") throws -> String {
        let file = url.appendingPathComponent("\(version).xcdatamodel/contents")
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    /// The bytes of all files, by path in the package.
    var files: [String: Data] {
        let paths = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
        let contents = paths.compactMap { path in
            (try? Data(contentsOf: url.appendingPathComponent(path))).map { (path, $0) }
        }
        return Dictionary(uniqueKeysWithValues: contents)
    }

    // MARK: Requests

    func answer(_ request: StudioRequest) async -> (status: Int, json: JSONValue) {
        let response = await studio.answer(request)
        guard case .json(let json) = response.body else { return (response.status, .null) }
        return (response.status, json)
    }

    func text(_ path: String, _ query: [String: String] = [:]) async -> String {
        let response = await studio.answer(StudioRequest(.get, ["models", "m1", path], query: query))
        guard case .bytes(let bytes, _, _) = response.body else { return "status \(response.status)" }
        return String(decoding: bytes, as: UTF8.self)
    }

    func get(_ path: String = "", _ query: [String: String] = [:]) async -> JSONValue {
        await answer(StudioRequest(.get, ["models", "m1"] + (path.isEmpty ? [] : [path]), query: query)).json
    }

    @discardableResult
    func post(_ path: String, _ body: String) async throws -> (status: Int, json: JSONValue) {
        await answer(StudioRequest(.post, ["models", "m1", path], body: try JSONParser.parse(body)))
    }

    /// Carries out commands at the present revision.
    @discardableResult
    func perform(
        _ commands: String, key: String? = nil, version: String? = nil
    ) async throws -> (status: Int, json: JSONValue) {
        let key = key.map { "\"\($0)\"" } ?? "null"
        let version = version.map { "\"\($0)\"" } ?? "null"
        return try await post(
            "commands",
            """
            {"revision": \(await revision), "mergeKey": \(key), "version": \(version), "commands": [\(commands)]}
            """)
    }

    /// Posts something that needs nothing but the present revision.
    @discardableResult
    func post(_ path: String) async throws -> (status: Int, json: JSONValue) {
        try await post(path, "{\"revision\": \(await revision)}")
    }

    var revision: Int {
        get async { await get()["revision"]?.number ?? -1 }
    }

    /// The paths of the elements of a kind.
    func paths(_ kind: String, version: String? = nil) async -> [String] {
        let state = await get("", version.map { ["version": $0] } ?? [:])
        return (state["elements"]?.list ?? []).filter { $0["kind"]?.string == kind }
            .compactMap { $0["path"]?.string }
    }
}

extension JSONValue {
    var number: Int? {
        if case .integer(let number) = self { Int(number) } else { nil }
    }

    var list: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The texts of a list.
    var strings: [String] { (list ?? []).compactMap(\.string) }

    /// Returns the element with a path in a state.
    func element(_ path: String) -> JSONValue? {
        self["elements"]?.list?.first { $0["path"]?.string == path }
    }
}

/// A model as the editor writes it, and something that it does not know.
let libraryText = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" \
    systemVersion="23E224" minimumToolsVersion="Automatic" sourceLanguage="Swift" \
    userDefinedModelVersionIdentifier="">
        <entity name="Author" representedClassName="Author" syncable="YES" codeGenerationType="class">
            <attribute name="born" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
            <attribute name="name" attributeType="String" defaultValueString="Anon"/>
            <relationship name="books" optional="YES" toMany="YES" deletionRule="Cascade" \
    destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
        </entity>
        <!-- the core -->
        <entity name="Book" representedClassName="Book" syncable="YES" codeGenerationType="class">
            <attribute name="pages" optional="YES" attributeType="Integer 32" defaultValueString="0" \
    usesScalarValueType="YES"/>
            <attribute name="title" optional="YES" attributeType="String"/>
            <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
            <sparkle level="3"/>
        </entity>
        <entity name="Comic" representedClassName="Comic" parentEntity="Book" syncable="YES" \
    codeGenerationType="class">
            <attribute name="colors" optional="YES" attributeType="Integer 16" defaultValueString="4" \
    usesScalarValueType="YES"/>
        </entity>
    </model>
    """
