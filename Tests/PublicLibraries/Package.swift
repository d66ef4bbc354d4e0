// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

// The test suites of public libraries on this framework. `Scripts/test-libraries` puts a library's files
// under `Checkouts`, selects the one to build, and counts: two of them in one program would see each other's
// models.

let coreData: Target.Dependency = .product(name: "CoreData", package: "OpenCoreData")

/// Returns the settings of a library's target on Linux: its sources ported, types that Foundation and XCTest
/// lack here imported without a change in the sources, and modules in place of some of Apple's, for these
/// tests alone.
func settings(
    _ target: String, _ mode: SwiftLanguageMode
) -> [SwiftSetting] {
    let overlay = Context.packageDirectory + "/.build/CoreDataOverlay/\(target).yaml"
    let gaps = ["-Xfrontend", "-import-module", "-Xfrontend", "FoundationGaps"]
    let modules = ["os=AppleOS", "OSLog=AppleOSLog", "Combine=AppleCombine"]
        .flatMap { ["-module-alias", $0] }
    return [
        .swiftLanguageMode(mode),
        .unsafeFlags(["-vfsoverlay", overlay] + gaps + modules),
    ]
}

func library(
    _ name: String, _ path: String, mode: SwiftLanguageMode = .v5, _ dependencies: [Target.Dependency] = [],
    exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: [coreData, "FoundationGaps"] + dependencies, path: "Checkouts/" + path,
        exclude: exclude,
        resources: resources, swiftSettings: settings(name, mode),
        plugins: [.plugin(name: "CoreDataOverlayPlugin", package: "OpenCoreData")])
}

func tests(
    _ name: String, _ path: String, mode: SwiftLanguageMode = .v5, _ dependencies: [Target.Dependency],
    exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name, dependencies: [coreData, "FoundationGaps"] + dependencies, path: "Checkouts/" + path,
        exclude: exclude,
        resources: resources, swiftSettings: settings(name, mode),
        plugins: [.plugin(name: "CoreDataOverlayPlugin", package: "OpenCoreData")])
}

/// The targets of each library, as its own manifest or Xcode project has them.
let targets: [Target] =
    switch Context.environment["PUBLIC_LIBRARY"] {
    case "CoreDataPlus":
        [
            library("CoreDataPlus", "CoreDataPlus/Sources", mode: .v6, ["AppleOS"]),
            tests(
                "Tests", "CoreDataPlus/Tests", mode: .v6, ["CoreDataPlus", "AppleCombine", "AppleOS"],
                exclude: ["TestPlans", "Resources/SampleModel/Fixtures/README.md"],
                resources: [
                    .copy("Resources/SampleModel/Fixtures/SampleModel_V1.sqlite"),
                    .copy("Resources/SampleModel/Fixtures/SampleModel_V2.sqlite"),
                    .copy("Resources/SampleModel2/Fixtures/SampleModel2_V1.sqlite"),
                    .copy("Resources/SampleModel2/Fixtures/SampleModel2_V2.sqlite"),
                    .copy("Resources/SampleModel3/Fixtures/SampleModel3_V1.sqlite"),
                ]),
        ]
    case "CoreDataRepository":
        [
            library(
                "CoreDataRepository", "CoreDataRepository/Sources/CoreDataRepository", mode: .v6,
                ["AppleCombine"],
                resources: [.process("Resources")]),
            library("Internal", "CoreDataRepository/Sources/Internal", mode: .v6, ["CoreDataRepository"]),
            tests(
                "CoreDataRepositoryTests", "CoreDataRepository/Tests/CoreDataRepositoryTests", mode: .v6,
                [
                    "CoreDataRepository", "Internal",
                    .product(name: "CustomDump", package: "swift-custom-dump"),
                ]),
        ]
    case "PeakCoreData":
        [
            library("PeakOperation", "PeakOperation/Sources/PeakOperation"),
            library("PeakCoreData", "PeakCoreData/Sources/PeakCoreData", ["PeakOperation"]),
            tests("PeakCoreDataTests", "PeakCoreData/Tests/PeakCoreDataTests", ["PeakCoreData"]),
        ]
    case "CoreDataQueryInterface":
        [
            library(
                "PredicateQI", "PredicateQI/Sources/PredicateQI",
                exclude: ["Comparison.swift.gyb", "Object.swift.gyb"]),
            library(
                "CoreDataQueryInterface", "CoreDataQueryInterface/Sources/CoreDataQueryInterface",
                ["PredicateQI"],
                exclude: [
                    "QueryBuilder+Group.swift.gyb", "QueryBuilder+Order.swift.gyb",
                    "QueryBuilder+Select.swift.gyb",
                ]),
            tests(
                "CoreDataQueryInterfaceTests", "CoreDataQueryInterface/Tests/CoreDataQueryInterfaceTests",
                ["CoreDataQueryInterface"]),
        ]
    case "Coredatable":
        [
            library("Coredatable", "Coredatable/Coredatable", exclude: ["Info.plist"]),
            tests(
                "CoredatableTests", "Coredatable/Coredatable-Tests", ["Coredatable"], exclude: ["Info.plist"],
                resources: [.process("json")]),
        ]
    case "CoreDataKit":
        [
            library("CoreDataKit", "CoreDataKit/CoreDataKit", mode: .v4, exclude: ["Info.plist"]),
            tests(
                "CoreDataKitTests", "CoreDataKit/CoreDataKitTests", mode: .v4, ["CoreDataKit"],
                exclude: ["Info.plist"]),
        ]
    case "CoreDataEvolution":
        [
            .macro(
                name: "CoreDataEvolutionMacros",
                dependencies: [
                    .product(name: "SwiftSyntax", package: "swift-syntax"),
                    .product(name: "SwiftParser", package: "swift-syntax"),
                    .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
                    .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
                    .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                ],
                path: "Checkouts/CoreDataEvolution/Sources/CoreDataEvolutionMacros"),
            library(
                "CoreDataEvolution", "CoreDataEvolution/Sources/CoreDataEvolution", mode: .v6,
                ["CoreDataEvolutionMacros", "AppleOSLog"]),
            tests(
                "CoreDataEvolutionTests", "CoreDataEvolution/Tests/CoreDataEvolutionTests", mode: .v6,
                ["CoreDataEvolution"], exclude: ["CoreDataEvolution-Package.xctestplan"]),
        ]
    default: []
    }

let package = Package(
    name: "PublicLibraries",
    dependencies: [
        .package(name: "OpenCoreData", path: "../..", traits: ["Overlay"]),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.7.3"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.0"),
    ],
    targets: [
        // Modules of Apple's systems, as far as the libraries use them.
        .target(
            name: "AppleCombine",
            dependencies: [
                coreData,
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
                .product(name: "OpenCombineFoundation", package: "OpenCombine"),
            ]),
        .target(name: "AppleOS"),
        .target(name: "AppleOSLog", dependencies: ["AppleOS"]),
        .target(name: "FoundationGaps"),
    ] + targets
)
