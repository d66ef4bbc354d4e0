// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

#if os(macOS)
// Apple's systems have the framework: `import CoreData` is theirs, and Xcode compiles the models. What a
// package asks of this one is there under the same names, and does nothing.
let package = Package(
    name: "OpenCoreData",
    products: [
        .library(name: "CoreData", targets: ["AppleFramework"]),
        .library(name: "SwiftData", targets: ["AppleFramework"]),
        .plugin(name: "CoreDataPlugin", targets: ["CoreDataPlugin"]),
        .plugin(name: "CoreDataOverlayPlugin", targets: ["CoreDataOverlayPlugin"]),
    ],
    traits: [.trait(name: "Overlay"), .trait(name: "SwiftData")],
    targets: [
        .target(name: "AppleFramework"),
        .plugin(name: "CoreDataPlugin", capability: .buildTool()),
        .plugin(name: "CoreDataOverlayPlugin", capability: .buildTool()),
    ]
)
#else
/// Settings every target shares: Swift 6 mode (from `swiftLanguageModes`), explicit `any`, and imports that
/// stay inside the file that writes them, so that a layer cannot leak through another. A section for each
/// function lets the linker leave out what a program does not call. Generic types that are known while compiling are
/// made by calls rather than by their names, for which the first use searches all conformances of the program: its start
/// executes a sixth less.
var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(
        [
            "-Xfrontend", "-function-sections",
            "-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors",
        ], .when(configuration: .release)),
]

// Scripts ask for both: who uses the package may have a compiler that warns of more, and no use for checks of the
// framework's own invariants after each change.
if Context.environment["CORE_DATA_STRICT"] != nil { settings.append(.treatAllWarnings(as: .error)) }
if Context.environment["CORE_DATA_CHECKS"] != nil {
    settings.append(.define("CORE_DATA_CHECKS", .when(configuration: .debug)))
}

/// Settings of code that only tools run: it is compiled quickly rather than optimized, in release builds too,
/// since whoever applies a plugin waits for it. The studio checks a model after each edit by the same code.
let toolSettings: [SwiftSetting] =
    settings + [
        .unsafeFlags(["-Onone"], .when(configuration: .release)),
        .unsafeFlags(["-O"], .when(configuration: .release, traits: ["Studio"])),
    ]

/// Returns the dependency on a module of another package, which is fetched only where a trait asks for it.
func module(_ name: String, of package: String, for trait: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: [trait]))
}
func syntax(_ name: String) -> Target.Dependency { module(name, of: "swift-syntax", for: "Overlay") }
func macros(_ name: String) -> Target.Dependency { module(name, of: "swift-syntax", for: "SwiftData") }
func http(_ name: String) -> Target.Dependency { module(name, of: "swift-nio", for: "Studio") }
func server(_ name: String, of package: String) -> Target.Dependency {
    module(name, of: package, for: "SyncServer")
}
func observability(_ name: String, of package: String) -> Target.Dependency {
    module(name, of: package, for: "Metrics")
}

var traits: Set<Trait> = [
    .trait(
        name: "Overlay",
        description:
            "CoreDataOverlayPlugin and the command port-core-data, and the Swift parser that they need"),
    .trait(
        name: "PostgreSQL",
        description:
            "The driver of PostgreSQL in the tools coredata and coredata-syncd, which then need libpq"),
    .trait(
        name: "Studio",
        description: "The command coredata studio, and the HTTP server that it needs"),
    .trait(
        name: "SyncServer",
        description: "The program coredata-syncd, through which devices sync, and what it needs"),
    .trait(
        name: "SwiftData",
        description: "The macros of the product SwiftData, and the Swift parser that they need"),
    .trait(
        name: "Metrics",
        description:
            "CoreDataMetrics, and swift-metrics and swift-distributed-tracing, to which it reports"),
]

// Scripts build with all of them, so that the framework is compiled once for its tests and for the packages that use it.
// As defaults they have the same order, which the compiler's arguments keep, in both.
if Context.environment["CORE_DATA_ALL_TRAITS"] != nil {
    traits.insert(.default(enabledTraits: Set(traits.map(\.name))))
}

let package = Package(
    name: "OpenCoreData",
    products: [
        .library(name: "CoreData", targets: ["CoreData", "CoreDataSQLite"]),
        .library(name: "ModernCoreData", targets: ["ModernCoreData", "CoreDataSQLite"]),
        .library(name: "SwiftData", targets: ["SwiftData", "CoreDataSQLite"]),
        .library(name: "CoreDataConformance", targets: ["CoreDataConformance", "CoreDataSQLite"]),
        .library(name: "CoreDataSync", targets: ["CoreDataSync", "CoreDataSQLite"]),
        .library(name: "CoreDataPostgreSQL", targets: ["CoreDataPostgreSQL"]),
        .library(name: "CoreDataMetrics", targets: ["CoreDataMetrics"]),
        .plugin(name: "CoreDataPlugin", targets: ["CoreDataPlugin"]),
        .plugin(name: "CoreDataOverlayPlugin", targets: ["CoreDataOverlayPlugin"]),
        .plugin(name: "PortCoreData", targets: ["PortCoreData"]),
        .executable(name: "coredata", targets: ["coredata"]),
        .executable(name: "coredata-syncd", targets: ["coredata-syncd"]),
    ],
    traits: traits,
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.0"..<"604.0.0"),
        .package(url: "https://github.com/apple/swift-log", "1.16.0"..<"2.0.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", "1.6.0"..<"2.0.0"),
        .package(url: "https://github.com/apple/swift-nio", "2.101.0"..<"3.0.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", "2.28.0"..<"3.0.0"),
        .package(url: "https://github.com/vapor/jwt-kit", "5.7.0"..<"6.0.0"),
        .package(url: "https://github.com/apple/swift-metrics", "2.13.0"..<"3.0.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", "2.37.0"..<"3.0.0"),
        .package(url: "https://github.com/apple/swift-http-types", "1.8.0"..<"2.0.0"),
        .package(url: "https://github.com/apple/swift-crypto", "4.1.0"..<"5.0.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", "2.13.0"..<"3.0.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", "1.3.0"..<"2.0.0"),
    ],
    targets: [
        // Values: no I/O, no C, no NS* names.
        .target(name: "CoreDataValues", swiftSettings: settings),
        .target(name: "CoreDataPredicates", dependencies: ["CoreDataValues"], swiftSettings: settings),
        .target(
            name: "CoreDataModelFormat",
            dependencies: ["CoreDataValues", "CoreDataPredicates"],
            swiftSettings: settings),

        // JSON documents as values.
        .target(name: "CoreDataJSON", swiftSettings: settings),

        // The core of synchronization: what devices and servers agree on, without I/O.
        .target(
            name: "CoreDataSyncCore", dependencies: ["CoreDataValues", "CoreDataJSON"],
            swiftSettings: settings),

        // Models as their authors write them: read, checked, compiled, written. Programs carry compiled ones.
        .target(
            name: "CoreDataModelSource",
            dependencies: ["CoreDataValues", "CoreDataPredicates", "CoreDataModelFormat"],
            swiftSettings: toolSettings),

        // Models while they are edited: what can be done to one, as values.
        .target(
            name: "CoreDataEditing",
            dependencies: [
                "CoreDataValues", "CoreDataPredicates", "CoreDataModelFormat", "CoreDataModelSource",
                "CoreDataJSON",
            ],
            swiftSettings: settings),

        // The seam between objects and rows.
        .target(
            name: "CoreDataStore",
            dependencies: ["CoreDataValues", "CoreDataPredicates", "CoreDataModelFormat"],
            swiftSettings: settings),

        // Stores without a database: rows in memory, and files that are read and written as a whole.
        .target(
            name: "CoreDataMemory",
            dependencies: ["CoreDataValues", "CoreDataPredicates", "CoreDataModelFormat", "CoreDataStore"],
            swiftSettings: settings),

        // Planning: questions and changes into SQL.
        .target(
            name: "CoreDataSQL",
            dependencies: ["CoreDataValues", "CoreDataPredicates", "CoreDataModelFormat", "CoreDataStore"],
            swiftSettings: settings),

        // Drivers: the only targets that import C.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "CoreDataSQLite",
            dependencies: [
                "CoreDataValues", "CoreDataPredicates", "CoreDataModelFormat", "CoreDataStore", "CoreDataSQL",
                "CSQLite", "CZlib",
            ],
            swiftSettings: settings),

        .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(
            name: "CoreDataLibpq", dependencies: ["CoreDataValues", "CoreDataSQL", "CLibpq"],
            swiftSettings: settings),
        .target(
            name: "CoreDataPostgreSQL",
            dependencies: [
                "CoreDataValues", "CoreDataModelFormat", "CoreDataStore", "CoreDataSQL", "CoreDataLibpq",
            ],
            swiftSettings: settings),

        // The sync server without its network: zones, rights and blobs.
        .target(
            name: "CoreDataSyncServer",
            dependencies: [
                "CoreDataValues", "CoreDataJSON", "CoreDataSyncCore", "CoreDataStore", "CoreDataSQL",
                "CoreDataSQLite",
                .target(name: "CoreDataLibpq", condition: .when(traits: ["PostgreSQL"])),
                .target(name: "CoreDataPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            swiftSettings: settings),

        // The way from a device to a server, by URLSession.
        .target(name: "CoreDataSyncTransport", dependencies: ["CoreDataSyncCore"], swiftSettings: settings),

        // The server over HTTP, and its program.
        .target(
            name: "CoreDataSyncHTTP",
            dependencies: [
                "CoreDataJSON", "CoreDataSyncCore", "CoreDataSyncServer",
                server("Hummingbird", of: "hummingbird"), server("HummingbirdCore", of: "hummingbird"),
                server("HummingbirdHTTP2", of: "hummingbird"), server("HummingbirdTLS", of: "hummingbird"),
                server("JWTKit", of: "jwt-kit"),
                server("CoreMetrics", of: "swift-metrics"), server("Logging", of: "swift-log"),
                server("NIOCore", of: "swift-nio"), server("NIOSSL", of: "swift-nio-ssl"),
                server("HTTPTypes", of: "swift-http-types"), server("Crypto", of: "swift-crypto"),
                server("ServiceLifecycle", of: "swift-service-lifecycle"),
                server("UnixSignals", of: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "coredata-syncd",
            dependencies: [
                "CoreDataJSON", "CoreDataSyncCore", "CoreDataSyncServer", "CoreDataSyncHTTP",
                server("ArgumentParser", of: "swift-argument-parser"), server("Logging", of: "swift-log"),
            ],
            swiftSettings: settings),

        // Entry points of the Swift runtime that have no name in Swift, and thread-local values.
        .systemLibrary(name: "CRuntime"),

        // The framework. It knows no database: the linker brings it together with the driver, so that both
        // are compiled at the same time.
        .target(
            name: "CoreData",
            dependencies: [
                "CoreDataValues", "CoreDataPredicates", "CoreDataModelFormat", "CoreDataStore",
                "CoreDataMemory", "CRuntime",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),

        // What apps write on top of it.
        .target(name: "ModernCoreData", dependencies: ["CoreData"], swiftSettings: settings),

        // Models that are plain classes, by the names of Apple's SwiftData.
        .target(
            name: "SwiftData",
            dependencies: [
                "CoreData", .target(name: "SwiftDataMacros", condition: .when(traits: ["SwiftData"])),
            ],
            swiftSettings: settings),
        .macro(
            name: "SwiftDataMacros",
            dependencies: [
                macros("SwiftSyntax"), macros("SwiftSyntaxBuilder"), macros("SwiftSyntaxMacros"),
                macros("SwiftCompilerPlugin"), macros("SwiftDiagnostics"),
            ],
            swiftSettings: toolSettings),

        // The client of synchronization. It uses what apps see of the framework, nothing else, so that it can be
        // built with Apple's.
        .target(
            name: "CoreDataSync",
            dependencies: ["CoreDataSyncCore", "CoreDataSyncTransport", "CoreData"],
            swiftSettings: settings),

        // Metrics and spans of what the framework does, for the libraries that an app installs.
        .target(
            name: "CoreDataMetrics",
            dependencies: [
                "CoreData", observability("CoreMetrics", of: "swift-metrics"),
                observability("Tracing", of: "swift-distributed-tracing"),
            ],
            swiftSettings: settings),

        // What every store has to do, for tests of stores.
        .target(name: "CoreDataConformance", dependencies: ["CoreData"], swiftSettings: settings),

        // Build tools.
        .target(
            name: "CoreDataCodegen",
            dependencies: ["CoreDataValues", "CoreDataModelFormat", "CoreDataModelSource"],
            swiftSettings: toolSettings),
        .executableTarget(
            name: "coredata-modelc", dependencies: ["CoreDataCodegen"], swiftSettings: toolSettings),
        .plugin(name: "CoreDataPlugin", capability: .buildTool(), dependencies: ["coredata-modelc"]),

        // Build tools for sources that only Apple's compiler takes as they are.
        .target(
            name: "CoreDataPorting",
            dependencies: [
                "CoreDataModelFormat", "CoreDataCodegen", syntax("SwiftParser"), syntax("SwiftSyntax"),
            ],
            swiftSettings: toolSettings),
        .executableTarget(
            name: "coredata-overlay",
            dependencies: ["CoreDataModelFormat", "CoreDataCodegen", "CoreDataPorting"],
            swiftSettings: toolSettings),
        .plugin(name: "CoreDataOverlayPlugin", capability: .buildTool(), dependencies: ["coredata-overlay"]),
        .executableTarget(
            name: "coredata-port",
            dependencies: [
                "CoreDataModelFormat", "CoreDataModelSource", "CoreDataCodegen", "CoreDataPorting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: toolSettings),
        .plugin(
            name: "PortCoreData",
            capability: .command(
                intent: .custom(
                    verb: "port-core-data",
                    description: "Rewrite sources so that they compile on Linux, too"),
                permissions: [
                    .writeToPackageDirectory(reason: "With --write, it rewrites the sources in place.")
                ]),
            dependencies: ["coredata-port"]),

        // The command-line tool: what it does, and its commands.
        .target(
            name: "CoreDataTool",
            dependencies: [
                "CoreDataValues", "CoreDataPredicates", "CoreDataModelFormat", "CoreDataModelSource",
                "CoreDataJSON", "CoreDataEditing", "CoreDataStore", "CoreDataSQL", "CoreDataSQLite",
                "CoreData",
                "CoreDataCodegen", "CoreDataSyncCore", "CoreDataSync",
            ],
            swiftSettings: settings),

        // The studio: what it has open and answers, the values between, and the server before it.
        .target(name: "CoreDataStudioInterface", dependencies: ["CoreDataJSON"], swiftSettings: settings),
        .target(
            name: "CoreDataStudio",
            dependencies: [
                "CoreDataValues", "CoreDataPredicates", "CoreDataModelFormat", "CoreDataModelSource",
                "CoreDataJSON", "CoreDataEditing", "CoreDataStore", "CoreDataSQL", "CoreDataSQLite",
                "CoreData",
                "CoreDataTool", "CoreDataStudioInterface",
            ],
            swiftSettings: settings),
        .target(
            name: "CoreDataStudioServer",
            dependencies: [
                "CoreDataJSON", "CoreDataStudioInterface", http("NIOCore"), http("NIOPosix"),
                http("NIOHTTP1"),
            ],
            swiftSettings: settings),

        .executableTarget(
            name: "coredata",
            dependencies: [
                "CoreDataJSON", "CoreDataEditing", "CoreDataTool", "CoreDataStudio", "CoreDataStudioServer",
                "CoreDataStudioInterface",
                .target(name: "CoreDataPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),

        // The program that tests start to work on stores, and stop in the middle. It is no product.
        .target(name: "Interposer", path: "Tests/Interposer"),
        .executableTarget(
            name: "store-worker", dependencies: ["CoreData", "CoreDataTool", "Interposer"],
            path: "Tests/StoreWorker", swiftSettings: settings),

        // The program that measures the sync server. It is no product.
        .executableTarget(
            name: "sync-bench",
            dependencies: [
                "CoreDataValues", "CoreDataSyncCore", "CoreDataSyncServer", "CoreDataSync", "CoreData",
                "CoreDataSQLite",
            ],
            path: "Benchmarks/Sync", exclude: ["live.py"], swiftSettings: settings),

        // The clients of Scripts/test-sync. It is no product.
        .executableTarget(
            name: "sync-worker",
            dependencies: [
                "CoreDataSyncCore", "CoreDataSyncTransport", "CoreDataSync", "CoreData", "CoreDataSQLite",
            ],
            path: "Tests/SyncWorker", swiftSettings: settings),

        // The PostgreSQL server that tests start, and a proxy before it.
        .target(
            name: "PostgreSQLTestSupport", path: "Tests/PostgreSQLTestSupport", swiftSettings: settings),

        // Tests.
        .testTarget(
            name: "CoreDataCodegenTests",
            dependencies: [
                "CoreDataValues", "CoreDataModelFormat", "CoreDataModelSource", "CoreDataCodegen",
            ],
            exclude: ["Reference"],
            swiftSettings: settings),
        .testTarget(
            name: "CoreDataPortingTests",
            dependencies: [
                "CoreDataModelFormat", "CoreDataCodegen", "CoreDataPorting", syntax("SwiftParser"),
                syntax("SwiftSyntax"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CoreDataModelFormatTests",
            dependencies: [
                "CoreDataValues", "CoreDataPredicates", "CoreDataModelFormat", "CoreDataModelSource",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CoreDataSyncCoreTests",
            dependencies: ["CoreDataValues", "CoreDataJSON", "CoreDataSyncCore"],
            swiftSettings: settings),
        .testTarget(
            name: "CoreDataSyncServerTests",
            dependencies: [
                "CoreDataValues", "CoreDataJSON", "CoreDataSyncCore", "CoreDataSQL", "CoreDataLibpq",
                "CoreDataPostgreSQL", "CoreDataSQLite", "CoreDataSyncServer", "PostgreSQLTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CoreDataSyncHTTPTests",
            dependencies: [
                "CoreDataValues", "CoreDataJSON", "CoreDataSyncCore", "CoreDataSyncServer",
                "CoreDataSyncHTTP", "CoreDataSyncTransport", "CoreDataSync", "CoreData", "CoreDataSQLite",
                "coredata-syncd", "sync-worker", "PostgreSQLTestSupport",
                server("JWTKit", of: "jwt-kit"), server("CryptoExtras", of: "swift-crypto"),
                server("Logging", of: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CoreDataSyncTests",
            dependencies: [
                "CoreDataJSON", "CoreDataSyncCore", "CoreDataSync", "CoreData", "CoreDataStore",
                "CoreDataSQL", "CoreDataSQLite",
            ],
            exclude: ["Recorded"],
            swiftSettings: settings),
        .testTarget(
            name: "CoreDataEditingTests",
            dependencies: [
                "CoreDataValues", "CoreDataPredicates", "CoreDataModelFormat", "CoreDataModelSource",
                "CoreDataJSON", "CoreDataEditing",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CoreDataPredicatesTests",
            dependencies: ["CoreDataValues", "CoreDataPredicates"],
            swiftSettings: settings),
        .testTarget(
            name: "CoreDataSQLTests",
            dependencies: [
                "CoreDataValues", "CoreDataPredicates", "CoreDataModelFormat", "CoreDataStore", "CoreDataSQL",
                "CSQLite",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CoreDataSQLiteTests",
            dependencies: [
                "CoreDataValues", "CoreDataPredicates", "CoreDataModelFormat", "CoreDataStore", "CoreDataSQL",
                "CoreDataSQLite", "CSQLite",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CoreDataLibpqTests",
            dependencies: ["CoreDataSQL", "CoreDataLibpq", "PostgreSQLTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "CoreDataPostgreSQLTests",
            dependencies: [
                "CoreDataValues", "CoreDataPredicates", "CoreDataModelFormat", "CoreDataStore", "CoreDataSQL",
                "CoreDataSQLite", "CoreDataLibpq", "CoreDataPostgreSQL", "CoreData", "CoreDataConformance",
                "PostgreSQLTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CoreDataTests",
            dependencies: [
                "CoreDataValues", "CoreDataPredicates", "CoreDataModelFormat", "CoreDataModelSource",
                "CoreDataStore", "CoreDataSQL", "CoreDataSQLite", "CSQLite", "CoreDataMemory", "CoreData",
                "CoreDataConformance", "CoreDataLibpq", "CoreDataPostgreSQL", "PostgreSQLTestSupport",
                "store-worker",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HostileFileTests",
            dependencies: [
                "CoreDataValues", "CoreDataPredicates", "CoreDataModelFormat", "CoreDataModelSource",
                "CoreDataStore", "CoreDataSQL", "CoreDataSQLite", "CoreDataMemory", "CoreData",
                "CoreDataJSON", "CoreDataEditing", "CoreDataTool",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ModernCoreDataTests",
            dependencies: ["CoreDataStore", "CoreDataSQL", "CoreDataSQLite", "CoreData", "ModernCoreData"],
            swiftSettings: settings),
        .testTarget(
            name: "SwiftDataTests",
            dependencies: [
                "CoreData", "CoreDataSQL", "CoreDataSQLite", "CoreDataPostgreSQL", "SwiftData",
                "PostgreSQLTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SwiftDataMainActorTests", dependencies: ["CoreDataSQLite", "SwiftData"],
            swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
        .testTarget(
            name: "CoreDataMetricsTests",
            dependencies: [
                "CoreDataSQLite", "CoreData", "CoreDataMetrics",
                observability("CoreMetrics", of: "swift-metrics"),
                observability("MetricsTestKit", of: "swift-metrics"),
                observability("Tracing", of: "swift-distributed-tracing"),
                observability("InMemoryTracing", of: "swift-distributed-tracing"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CoreDataToolTests",
            dependencies: [
                "CoreDataValues", "CoreDataPredicates", "CoreDataModelFormat", "CoreDataModelSource",
                "CoreDataJSON", "CoreDataEditing", "CoreDataStore", "CoreDataSQL", "CoreDataSQLite",
                "CoreDataPostgreSQL", "CoreData", "CoreDataTool", "CoreDataLibpq", "coredata", "CoreDataSync",
                "PostgreSQLTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CoreDataStudioServerTests",
            dependencies: ["CoreDataJSON", "CoreDataStudioInterface", "CoreDataStudioServer"],
            swiftSettings: settings),
        .testTarget(
            name: "StudioBrowserTests",
            dependencies: [
                "CoreDataModelFormat", "CoreDataModelSource", "CoreDataJSON", "CoreDataSQL", "CoreDataSQLite",
                "CoreData", "CoreDataPostgreSQL", "PostgreSQLTestSupport", "coredata",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CoreDataStudioTests",
            dependencies: [
                "CoreDataValues", "CoreDataPredicates", "CoreDataModelFormat", "CoreDataModelSource",
                "CoreDataJSON", "CoreDataEditing", "CoreDataStore", "CoreDataSQL", "CoreDataSQLite",
                "CoreData",
                "CoreDataTool", "CoreDataStudioInterface", "CoreDataStudio", "CoreDataPostgreSQL",
                "PostgreSQLTestSupport",
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
#endif
