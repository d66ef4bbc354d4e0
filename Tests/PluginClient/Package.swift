// swift-tools-version: 6.1
import Foundation
import PackageDescription

/// The plugin for code of Xcode's needs the trait `Overlay`. Scripts build with all traits, to share what they compile.
let traits: Set<Package.Dependency.Trait> =
    Context.environment["CORE_DATA_ALL_TRAITS"] == nil ? ["Overlay"] : [.defaults]

let coreData: Target.Dependency = .product(name: "CoreData", package: "OpenCoreData")
let catalogue: Target.Dependency = .product(name: "Catalogue", package: "Catalogue")
let plugin: Target.PluginUsage = .plugin(name: "CoreDataPlugin", package: "OpenCoreData")

/// Whether the sources are copies in `Ported`, rewritten in place, which need nothing of the settings: for
/// `Scripts/test-plugin` alone.
let isPorted = ProcessInfo.processInfo.environment["PLUGIN_CLIENT_PORTED"] != nil

/// The plugin for sources with attributes, key paths and selectors of the Objective-C runtime.
let overlayPlugin: Target.PluginUsage =
    isPorted ? plugin : .plugin(name: "CoreDataOverlayPlugin", package: "OpenCoreData")

func path(_ target: String) -> String { (isPorted ? "Ported/" : "") + target }

/// Returns the settings of a target with such sources.
func ported(_ target: String) -> [SwiftSetting] {
    guard !isPorted else { return [] }
    return [
        .unsafeFlags(["-vfsoverlay", Context.packageDirectory + "/.build/CoreDataOverlay/\(target).yaml"])
    ]
}

/// Targets that must not build, or are edited between builds: for `Scripts/test-plugin` alone.
let further: [Target] =
    ProcessInfo.processInfo.environment["PLUGIN_CLIENT_TARGETS"]?.split(separator: " ").map { path in
        let name = path.split(separator: "/").joined()
        let isPorted = ["Faults/Ported", "Faults/KeyPaths", "Edited"].contains(path)
        let appliesOverlay = isPorted || path == "Faults/Setting"
        // The condition by which targets asked former releases of the plugin to port.
        let former: [SwiftSetting] = path == "Faults/Former" ? [.define("CORE_DATA_OVERLAY")] : []
        return .target(
            name: name, dependencies: [coreData], path: String(path),
            swiftSettings: isPorted ? ported(name) : former,
            plugins: [appliesOverlay ? overlayPlugin : plugin])
    } ?? []

/// One app's model layer with its tests, in the compiler modes that apps use today. The folders are links to
/// one.
var modes: [(name: String, settings: [SwiftSetting])] = [
    ("Swift5", [.swiftLanguageMode(.v5)]),
    ("Swift6", []),
]
#if compiler(>=6.2)
modes += [
    ("MainActor", [.unsafeFlags(["-default-isolation", "MainActor"])]),
    ("Nonsending", [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
]
#endif
let journals: [Target] = modes.map { mode in
    .testTarget(
        name: "Journal\(mode.name)Tests", dependencies: [coreData], path: "Tests/Journal\(mode.name)",
        swiftSettings: mode.settings, plugins: [plugin])
}

/// The plugin as clients use it: models in an executable, a library, a test target and a dependency, and
/// managed classes in every form that they are declared in.
let package = Package(
    name: "PluginClient",
    dependencies: [
        .package(name: "OpenCoreData", path: "../..", traits: traits),
        .package(name: "Catalogue", path: "Dependency"),
    ],
    targets: [
        // With the settings that ask most of the generated file.
        .target(
            name: "Forms", dependencies: [catalogue, coreData], path: path("Sources/Forms"),
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ],
            plugins: [plugin]),
        // Sources as Xcode leaves them.
        .target(
            name: "Classic", dependencies: [coreData], path: path("Sources/Classic"),
            exclude: isPorted ? ["Feed.swift", "Office+Hooks.swift"] : [],
            swiftSettings: ported("Classic"), plugins: [overlayPlugin]),
        .executableTarget(
            name: "Program", dependencies: ["Forms", catalogue, coreData], path: path("Sources/Program"),
            swiftSettings: ported("Program"), plugins: [overlayPlugin]),
        .testTarget(
            name: "ClientTests", dependencies: ["Classic", "Forms", catalogue, coreData],
            path: path("Tests/ClientTests"), exclude: isPorted ? ["OverlayTests.swift"] : [],
            swiftSettings: ported("ClientTests"), plugins: [overlayPlugin]),
    ] + (isPorted ? [] : journals) + further,
    swiftLanguageModes: [.v6]
)
