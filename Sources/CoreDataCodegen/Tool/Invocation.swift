/// The command line of a plugin's tool, which names the files to read and to write.
///
///     coredata-modelc --module App --swift App+CoreData.swift [--model Model.xcdatamodeld Model.momd]…
///                     [--mapping 1to2.xcmappingmodel 1to2.cdm]… [--dependency Base Sources/Base]…
///                     [--resources .build App_App.resources] [--kept Theirs.momd]… [--overlay App.yaml]
///                     [--sources a.swift b.swift …]
package struct Invocation {
    package struct Compiled {
        package var source: String
        package var compiled: String
    }

    package struct UsageError: Error, CustomStringConvertible {
        package var description: String

        package init(description: String) { self.description = description }
    }

    package private(set) var module = ""
    package private(set) var swiftFile = ""
    package private(set) var models: [Compiled] = []
    package private(set) var mappings: [Compiled] = []
    package private(set) var dependencies: [(module: String, directory: String)] = []
    /// The build folder, and the name of the target's resource folder. The build folder contains one such
    /// folder per configuration.
    package private(set) var resources: (build: String, name: String)?
    /// The names of compiled models that are themselves resources of the target.
    package private(set) var kept: [String] = []
    /// The file to write for `-vfsoverlay`, if the tool ports sources. The ported sources go into a folder of
    /// the same name beside it.
    package private(set) var overlay: String?
    package private(set) var sources: [String] = []

    package init(_ arguments: [String]) throws {
        var rest = arguments[...]
        func next(after option: String) throws -> String {
            guard let value = rest.popFirst() else {
                throw UsageError(description: "\(option) lacks a value")
            }
            return value
        }
        while let option = rest.popFirst() {
            switch option {
            case "--module": module = try next(after: option)
            case "--swift": swiftFile = try next(after: option)
            case "--model":
                models.append(Compiled(source: try next(after: option), compiled: try next(after: option)))
            case "--mapping":
                mappings.append(Compiled(source: try next(after: option), compiled: try next(after: option)))
            case "--dependency":
                dependencies.append((try next(after: option), try next(after: option)))
            case "--resources": resources = (try next(after: option), try next(after: option))
            case "--kept": kept.append(try next(after: option))
            case "--overlay": overlay = try next(after: option)
            case "--sources":
                sources = Array(rest)
                rest = []
            default: throw UsageError(description: "unknown option \(option)")
            }
        }
        guard !module.isEmpty, !swiftFile.isEmpty else {
            throw UsageError(description: "--module and --swift are required")
        }
    }
}
