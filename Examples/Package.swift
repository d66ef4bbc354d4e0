// swift-tools-version: 6.1
import PackageDescription

/// The plugin for code of Xcode's needs the trait `Overlay`, the macros of SwiftData that of their name. Scripts build with
/// all traits, to share what they compile.
let traits: Set<Package.Dependency.Trait> =
    Context.environment["CORE_DATA_ALL_TRAITS"] == nil ? ["Overlay", "SwiftData"] : [.defaults]

let coreData: Target.Dependency = .product(name: "CoreData", package: "OpenCoreData")
let modern: Target.Dependency = .product(name: "ModernCoreData", package: "OpenCoreData")
let postgreSQL: Target.Dependency = .product(name: "CoreDataPostgreSQL", package: "OpenCoreData")
let swiftData: Target.Dependency = .product(name: "SwiftData", package: "OpenCoreData")
let sync: Target.Dependency = .product(name: "CoreDataSync", package: "OpenCoreData")
let conformance: Target.Dependency = .product(name: "CoreDataConformance", package: "OpenCoreData")
let plugin: Target.PluginUsage = .plugin(name: "CoreDataPlugin", package: "OpenCoreData")
let overlayPlugin: Target.PluginUsage = .plugin(name: "CoreDataOverlayPlugin", package: "OpenCoreData")

let package = Package(
    name: "Examples",
    // Models that an app's Xcode project can depend on as well.
    products: [.library(name: "Birds", targets: ["Birds"])],
    dependencies: [
        .package(name: "OpenCoreData", path: "..", traits: traits),
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
    ],
    targets: [
        .executableTarget(name: "Atlas", dependencies: [coreData], plugins: [plugin]),
        .target(name: "Birds", dependencies: [swiftData]),
        .executableTarget(name: "BirdClub", dependencies: ["Birds", swiftData, postgreSQL]),
        // As Xcode leaves it: the plugin ports the sources while they are built.
        .target(
            name: "Company", dependencies: [coreData, .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: [
                .unsafeFlags(
                    ["-vfsoverlay", Context.packageDirectory + "/.build/CoreDataOverlay/Company.yaml"],
                    .when(platforms: [.linux]))
            ],
            plugins: [overlayPlugin]),
        .target(name: "FieldJournal", dependencies: ["Birds", swiftData]),
        .target(name: "Garage", dependencies: [coreData], plugins: [plugin]),
        .executableTarget(
            name: "Ledger",
            dependencies: [coreData, postgreSQL],
            plugins: [plugin]),
        .target(name: "Library", dependencies: [coreData, modern, conformance], plugins: [plugin]),
        .target(name: "Moods", dependencies: [coreData], plugins: [plugin]),
        .executableTarget(name: "Notes", dependencies: [coreData, sync], plugins: [plugin]),
        .executableTarget(name: "Plants", dependencies: [coreData], plugins: [plugin]),
        .target(name: "Stores", dependencies: [coreData]),
        .target(name: "Tweets", dependencies: [coreData], plugins: [plugin]),
        .testTarget(
            name: "ExamplesTests",
            dependencies: [
                "Atlas", "Birds", "BirdClub", "Company", "FieldJournal", "Garage", "Library", "Moods",
                "Plants",
                "Stores", "Tweets", coreData, conformance, postgreSQL, swiftData,
            ]),
    ]
)
