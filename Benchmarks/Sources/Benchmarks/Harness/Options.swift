/// The options of the command line.
struct Options {
    var sizes = Sizes.full
    var runs = 5
    var jsonPath: String?
    var markdownPath: String?
    var plotPath: String?
    /// The database of the suites on PostgreSQL, which are left out without one.
    var serverURL: String?
    /// The URL of a store in a PostgreSQL database into which one process of several writes.
    var writtenURL: String?
    var lists = false
    /// A single operation, whose instructions are counted.
    var operation: (any HotOperation)?
    var units = 1000
    private(set) var hasUnits = false
    var inC = false
    var tracksHistory = false
    /// Runs only suites whose names contain one of these texts; all suites if there are none.
    var only: [String] = []

    static let usage = """
        usage: Benchmarks [--quick] [--runs N] [--only NAME]... [--json FILE] [--markdown FILE]
                          [--plot FILE] [--postgresql URL] [--list]
          --quick      smaller stores and fewer runs
          --runs N     counted runs of each variant; medians are reported, of times and of ratios within a run
          --only NAME  only suites whose name contains NAME
          --json FILE  writes the results to FILE as well
          --markdown FILE
                       writes them as tables in Markdown
          --plot FILE  draws how costs grow with the store, as SVG
          --postgresql URL
                       runs the suites on PostgreSQL, too, in schemas of their own of this database
          --list       names the suites
          --operation NAME [--units N] [--in-c] [--history]
                       does nothing but one hot operation N times, for Scripts/bench-instructions
          --write URL [--units N]
                       saves N new objects one by one, with a history, for Scripts/bench-writers; without N it
                       only makes the store
        """

    init(_ arguments: some Sequence<String>) throws {
        var runs: Int?
        var arguments = arguments.makeIterator()
        func value(of option: String, _ next: String?) throws -> String {
            guard let next else { throw BenchmarkError("\(option) needs a value\n\(Self.usage)") }
            return next
        }
        func number(of option: String, _ next: String?) throws -> Int {
            guard let number = Int(try value(of: option, next)), number > 0 else {
                throw BenchmarkError("\(option) takes a positive number\n\(Self.usage)")
            }
            return number
        }
        while let argument = arguments.next() {
            switch argument {
            case "--quick": sizes = .quick
            case "--json": jsonPath = try value(of: argument, arguments.next())
            case "--markdown": markdownPath = try value(of: argument, arguments.next())
            case "--plot": plotPath = try value(of: argument, arguments.next())
            case "--postgresql": serverURL = try value(of: argument, arguments.next())
            case "--list": lists = true
            case "--operation":
                let name = try value(of: argument, arguments.next())
                guard let named = HotOperations.named(name) else {
                    let names = HotOperations.names.joined(separator: ", ")
                    throw BenchmarkError("--operation takes one of \(names)")
                }
                operation = named
            case "--write": writtenURL = try value(of: argument, arguments.next())
            case "--units":
                units = try number(of: argument, arguments.next())
                hasUnits = true
            case "--in-c": inC = true
            case "--history": tracksHistory = true
            case "--only": only.append(try value(of: argument, arguments.next()))
            case "--runs":
                runs = try number(of: argument, arguments.next())
            // The framework reads these, such as `-com.apple.CoreData.Profile FILE`.
            case let setting where setting.hasPrefix("-com.apple.CoreData."): _ = arguments.next()
            default: throw BenchmarkError("unknown argument \(argument)\n\(Self.usage)")
            }
        }
        self.runs = runs ?? (sizes.rows == Sizes.quick.rows ? 3 : 5)
    }

    func wants(_ name: String) -> Bool {
        only.isEmpty || only.contains { name.lowercased().contains($0.lowercased()) }
    }
}
