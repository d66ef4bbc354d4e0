// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "OpenCoreData", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    ],
    targets: [
        // The base of the ratios: plain loops over the same stores, in C.
        .target(name: "RawLoops", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(
            name: "RawServerLoops", dependencies: ["RawLoops"], linkerSettings: [.linkedLibrary("pq")]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "RawLoops", "RawServerLoops",
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "CoreDataPostgreSQL", package: "OpenCoreData"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
