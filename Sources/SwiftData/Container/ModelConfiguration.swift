public import Foundation

/// Where a container keeps the models of a schema, and how.
///
/// Unlike Apple's: the folder of an app group is one beside the program's own, and there is no CloudKit.
public struct ModelConfiguration: DataStoreConfiguration, Identifiable, Sendable {
    /// Stores in the layouts of Core Data.
    public typealias Store = DefaultStore

    /// The name, from which that of the file is made; empty for the default one.
    public let name: String
    /// The file of the store, `/dev/null` for one in memory, or a `postgresql://` URL.
    public let url: URL
    /// Whether the store is kept in memory, and gone with the container.
    public let isStoredInMemoryOnly: Bool
    /// Whether the store may be written.
    public let allowsSave: Bool
    /// The app group in whose folder the store is.
    public let groupContainer: GroupContainer
    /// The CloudKit database that was asked for.
    public let cloudKitDatabase: CloudKitDatabase
    private var types: [ModelType]?

    /// Makes the configuration of a store in the program's folder for application data, or in memory.
    ///
    /// - Parameters:
    ///   - name: The name of the file, without `.store`; nil for `default`.
    ///   - schema: The models to store; nil for all of the container.
    ///   - isStoredInMemoryOnly: Whether the store is kept in memory.
    ///   - allowsSave: Whether the store may be written.
    ///   - groupContainer: The app group whose programs share the store.
    ///   - cloudKitDatabase: `.automatic` or `.none`: no container can be made with another one.
    public init(
        _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false,
        allowsSave: Bool = true, groupContainer: GroupContainer = .automatic,
        cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        let url =
            isStoredInMemoryOnly
            ? URL(fileURLWithPath: "/dev/null") : Self.file(named: name ?? "", in: groupContainer)
        self.init(
            name, schema?.types, url, isStoredInMemoryOnly, allowsSave, groupContainer, cloudKitDatabase)
    }

    /// Makes the configuration of a store in a file, or, in a program that links `CoreDataPostgreSQL`, in a schema of
    /// a PostgreSQL database.
    public init(
        _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
        cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        self.init(name, schema?.types, url, false, allowsSave, .none, cloudKitDatabase)
    }

    /// Makes the configuration of a store for some models of the container.
    @_disfavoredOverload
    public init(for types: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
        self.init(schema: types.isEmpty ? nil : Schema(types), isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    private init(
        _ name: String?, _ types: [any PersistentModel.Type]?, _ url: URL, _ isInMemory: Bool,
        _ allowsSave: Bool, _ groupContainer: GroupContainer, _ cloudKitDatabase: CloudKitDatabase
    ) {
        self.name = name ?? ""
        self.types = types?.map(ModelType.init)
        self.url = url
        isStoredInMemoryOnly = isInMemory
        self.allowsSave = allowsSave
        self.groupContainer = groupContainer
        self.cloudKitDatabase = cloudKitDatabase
    }

    /// The name.
    public var id: String { name }
    /// The models to store; nil for all of the container.
    public var schema: Schema? {
        get { types.map { Schema($0.map(\.type)) } }
        set { types = newValue?.types.map(ModelType.init) }
    }

    /// The app group in whose folder the store is; nil for none.
    public var groupAppContainerIdentifier: String? { groupContainer.identifier }
    /// The CloudKit container that was asked for; nil for none.
    public var cloudKitContainerIdentifier: String? { cloudKitDatabase.identifier }

    /// An app group, whose programs share a folder.
    public struct GroupContainer: Hashable, Sendable {
        let identifier: String?

        /// No group: programs declare none here.
        public static let automatic = GroupContainer(identifier: nil)
        /// No group.
        public static let none = GroupContainer(identifier: nil)
        /// Returns a group by its identifier, after which its folder is named.
        public static func identifier(_ identifier: String) -> GroupContainer {
            GroupContainer(identifier: identifier)
        }
    }

    /// A CloudKit database, of which there is none here.
    public struct CloudKitDatabase: Hashable, Sendable {
        let identifier: String?

        /// No database: programs declare none here.
        public static let automatic = CloudKitDatabase(identifier: nil)
        /// No database.
        public static let none = CloudKitDatabase(identifier: nil)
        /// Returns the private database of a CloudKit container, with which no container can be made.
        public static func `private`(_ privateDBName: String) -> CloudKitDatabase {
            CloudKitDatabase(identifier: privateDBName)
        }
    }

    /// Throws `SwiftDataError` if no store can be made of what the configuration asks for.
    public func validate() throws {
        if let identifier = cloudKitDatabase.identifier {
            throw SwiftDataError(
                .loadIssueModelContainer,
                "the configuration \"\(name)\" asks for the CloudKit database \(identifier), and there is no "
                    + "CloudKit here: pass cloudKitDatabase: .none")
        }
        // Only if the file is named after the configuration, its name has to be one of a file.
        guard url == Self.file(named: name, in: groupContainer) else { return }
        if name.contains(where: { $0 == "/" || $0 == "\0" }) {
            throw SwiftDataError(
                .configurationFileNameContainsInvalidCharacters,
                "the configuration \"\(name)\" cannot give its name to a file")
        }
        if name.utf8.count > Self.longestName {
            throw SwiftDataError(
                .configurationFileNameTooLong,
                "the name \"\(name)\" has \(name.utf8.count) bytes, more than \(Self.longestName)")
        }
    }

    /// The number of bytes that a name may have, so that those of the store's files have at most 255.
    private static let longestName = 255 - ".store-wal".utf8.count

    /// Returns the file of a configuration without a URL: in the program's folder for application data, or in
    /// that of a group.
    private static func file(named name: String, in group: GroupContainer) -> URL {
        let base =
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? URL(fileURLWithPath: NSHomeDirectory())
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingPathExtension().lastPathComponent
        return base.appending(path: group.identifier ?? program)
            .appending(path: "\(name.isEmpty ? "default" : name).store")
    }
}

/// A model class as a value.
struct ModelType: Hashable, Sendable {
    let type: any PersistentModel.Type

    static func == (left: ModelType, right: ModelType) -> Bool { left.type == right.type }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}
