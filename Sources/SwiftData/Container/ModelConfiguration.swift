public import Foundation

/// Where a container keeps the models of a schema, and how.
///
/// Unlike Apple's: there are no shared folders of app groups and no CloudKit, so that their arguments are
/// absent.
public struct ModelConfiguration: Identifiable, Hashable, Sendable {
    /// The name, from which that of the file is made; empty for the default one.
    public let name: String
    /// The file of the store, `/dev/null` for one in memory, or a `postgresql://` URL.
    public let url: URL
    /// Whether the store is kept in memory, and gone with the container.
    public let isStoredInMemoryOnly: Bool
    /// Whether the store may be written.
    public let allowsSave: Bool
    let types: [ModelType]?

    /// Makes the configuration of a store in the program's folder for application data, or in memory.
    ///
    /// - Parameters:
    ///   - name: The name of the file, without `.store`; nil for `default`.
    ///   - schema: The models to store; nil for all of the container.
    ///   - isStoredInMemoryOnly: Whether the store is kept in memory.
    ///   - allowsSave: Whether the store may be written.
    public init(
        _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false,
        allowsSave: Bool = true
    ) {
        let url =
            isStoredInMemoryOnly
            ? URL(fileURLWithPath: "/dev/null") : Self.folder.appending(path: "\(name ?? "default").store")
        self.init(name, schema?.types, url, isStoredInMemoryOnly, allowsSave)
    }

    /// Makes the configuration of a store in a file, or, in a program that links `CoreDataPostgreSQL`, in a schema of
    /// a PostgreSQL database.
    public init(_ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true) {
        self.init(name, schema?.types, url, false, allowsSave)
    }

    /// Makes the configuration of a store for some models of the container.
    @_disfavoredOverload
    public init(for types: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
        self.init(schema: types.isEmpty ? nil : Schema(types), isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    private init(
        _ name: String?, _ types: [any PersistentModel.Type]?, _ url: URL, _ isInMemory: Bool,
        _ allowsSave: Bool
    ) {
        self.name = name ?? ""
        self.types = types?.map(ModelType.init)
        self.url = url
        isStoredInMemoryOnly = isInMemory
        self.allowsSave = allowsSave
    }

    /// The name.
    public var id: String { name }
    /// The models to store; nil for all of the container.
    public var schema: Schema? { types.map { Schema($0.map(\.type)) } }

    /// The program's folder for application data.
    private static var folder: URL {
        let base =
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? URL(fileURLWithPath: NSHomeDirectory())
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingPathExtension().lastPathComponent
        return base.appending(path: program)
    }
}

/// A model class as a value.
struct ModelType: Hashable, Sendable {
    let type: any PersistentModel.Type

    static func == (left: ModelType, right: ModelType) -> Bool { left.type == right.type }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}
