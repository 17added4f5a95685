/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NVTX for C++: scoped ranges, marks, domains and their attributes. Nobody
 * listens, so all of it is nothing at run time; what a program says about its
 * ranges is checked by the compiler as ever. NVTX C++ API reference, version 1.
 */
#ifndef WEFT_NVTX3_HPP
#define WEFT_NVTX3_HPP

#define NVTX3_CPP_VERSION_MAJOR 1
#define NVTX3_CPP_VERSION_MINOR 1
#define NVTX3_CPP_DEFINITIONS_V1_0
#define NVTX3_INLINE_IF_REQUESTED inline
#define NVTX3_INLINE_THIS_VERSION inline
#define NVTX3_MAYBE_UNUSED        __attribute__((unused))
#define NVTX3_CONSTEXPR_IF_CPP14

#include "nvToolsExt.h"

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace nvtx3
{
inline namespace v1
{

/* ---- colours ------------------------------------------------------------ */

struct rgb {
    using component_type = uint8_t;
    constexpr rgb(component_type red_, component_type green_,
                  component_type blue_) noexcept
        : red{red_}, green{green_}, blue{blue_}
    {
    }
    component_type red{}, green{}, blue{};
};

struct argb final : rgb {
    constexpr argb(component_type alpha_, component_type red_,
                   component_type green_, component_type blue_) noexcept
        : rgb{red_, green_, blue_}, alpha{alpha_}
    {
    }
    component_type alpha{};
};

class color
{
  public:
    using value_type = uint32_t;
    constexpr explicit color(value_type hex_code) noexcept : value_{hex_code}
    {
    }
    constexpr color(argb c) noexcept
        : color{(value_type)c.alpha << 24 | (value_type)c.red << 16 |
                (value_type)c.green << 8 | c.blue}
    {
    }
    constexpr color(rgb c) noexcept : color{argb{0xff, c.red, c.green, c.blue}}
    {
    }
    constexpr value_type get_value() const noexcept
    {
        return value_;
    }
    constexpr nvtxColorType_t get_type() const noexcept
    {
        return NVTX_COLOR_ARGB;
    }

  private:
    value_type value_{};
};

/* ---- domains ------------------------------------------------------------ */

class domain
{
  public:
    domain(domain const &) = delete;
    domain &operator=(domain const &) = delete;

    /* The global domain, and one for each type with a name. */
    struct global {
    };
    template <typename D = global> static domain const &get() noexcept
    {
        static domain const d;
        return d;
    }
    operator nvtxDomainHandle_t() const noexcept
    {
        return nullptr;
    }

  private:
    domain() noexcept = default;
};

namespace detail
{
/* The type of a domain may carry the domain's name. */
template <typename D, typename = void>
struct has_name : std::is_same<D, domain::global> {
};
template <typename D>
struct has_name<D, decltype((void)D::name)> : std::true_type {
};
template <typename D> inline void check_domain() noexcept
{
    static_assert(has_name<D>::value,
                  "a domain's type has a member name, char or wchar_t const *");
}
} /* namespace detail */

/* ---- categories --------------------------------------------------------- */

class category
{
  public:
    using id_type = uint32_t;
    constexpr explicit category(id_type id) noexcept : id_{id}
    {
    }
    constexpr id_type get_id() const noexcept
    {
        return id_;
    }

  private:
    id_type id_{};
};

template <typename D = domain::global>
class named_category_in final : public category
{
  public:
    /* One object for each type C, which has a name and an id. */
    template <typename C> static named_category_in const &get() noexcept
    {
        static named_category_in const c(C::id, C::name);
        return c;
    }
    named_category_in(id_type id, char const *name) noexcept : category{id}
    {
        (void)name;
        detail::check_domain<D>();
    }
    named_category_in(id_type id, wchar_t const *name) noexcept : category{id}
    {
        (void)name;
        detail::check_domain<D>();
    }
};
using named_category = named_category_in<domain::global>;

/* ---- messages ----------------------------------------------------------- */

template <typename D = domain::global> class registered_string_in
{
  public:
    template <typename M> static registered_string_in const &get() noexcept
    {
        static registered_string_in const s(M::message);
        return s;
    }
    explicit registered_string_in(char const *message) noexcept
        : handle_{nvtxDomainRegisterStringA(domain::get<D>(), message)}
    {
    }
    explicit registered_string_in(std::string const &message) noexcept
        : registered_string_in{message.c_str()}
    {
    }
    explicit registered_string_in(wchar_t const *message) noexcept
        : handle_{nvtxDomainRegisterStringW(domain::get<D>(), message)}
    {
    }
    explicit registered_string_in(std::wstring const &message) noexcept
        : registered_string_in{message.c_str()}
    {
    }
    nvtxStringHandle_t get_handle() const noexcept
    {
        return handle_;
    }
    registered_string_in() = delete;
    registered_string_in(registered_string_in const &) = default;
    registered_string_in &operator=(registered_string_in const &) = default;

  private:
    nvtxStringHandle_t handle_{};
};
using registered_string = registered_string_in<domain::global>;

class message
{
  public:
    using value_type = nvtxMessageValue_t;
    constexpr message(char const *text) noexcept
        : type_{NVTX_MESSAGE_TYPE_ASCII}, value_{text}
    {
    }
    message(std::string const &text) noexcept : message{text.c_str()}
    {
    }
    message(std::string &&) = delete;
    message(wchar_t const *text) noexcept : type_{NVTX_MESSAGE_TYPE_UNICODE}
    {
        value_.unicode = text;
    }
    message(std::wstring const &text) noexcept : message{text.c_str()}
    {
    }
    message(std::wstring &&) = delete;
    template <typename D>
    message(registered_string_in<D> const &text) noexcept
        : type_{NVTX_MESSAGE_TYPE_REGISTERED}
    {
        value_.registered = text.get_handle();
    }
    constexpr message(nvtxMessageType_t type, value_type const &value) noexcept
        : type_{type}, value_(value)
    {
    }
    constexpr value_type get_value() const noexcept
    {
        return value_;
    }
    constexpr nvtxMessageType_t get_type() const noexcept
    {
        return type_;
    }

  private:
    nvtxMessageType_t type_{};
    value_type value_{};
};

/* ---- payloads ----------------------------------------------------------- */

class payload
{
  public:
    using value_type = decltype(nvtxEventAttributes_t::payload);
    explicit payload(int64_t v) noexcept : type_{NVTX_PAYLOAD_TYPE_INT64}
    {
        value_.llValue = v;
    }
    explicit payload(int32_t v) noexcept : type_{NVTX_PAYLOAD_TYPE_INT32}
    {
        value_.iValue = v;
    }
    explicit payload(uint64_t v) noexcept
        : type_{NVTX_PAYLOAD_TYPE_UNSIGNED_INT64}
    {
        value_.ullValue = v;
    }
    explicit payload(uint32_t v) noexcept
        : type_{NVTX_PAYLOAD_TYPE_UNSIGNED_INT32}
    {
        value_.uiValue = v;
    }
    explicit payload(float v) noexcept : type_{NVTX_PAYLOAD_TYPE_FLOAT}
    {
        value_.fValue = v;
    }
    explicit payload(double v) noexcept : type_{NVTX_PAYLOAD_TYPE_DOUBLE}
    {
        value_.dValue = v;
    }
    payload(nvtxPayloadType_t type, value_type const &value) noexcept
        : type_{type}, value_(value)
    {
    }
    value_type get_value() const noexcept
    {
        return value_;
    }
    nvtxPayloadType_t get_type() const noexcept
    {
        return type_;
    }

  private:
    nvtxPayloadType_t type_;
    value_type value_{};
};

/* ---- attributes of events ----------------------------------------------- */

class event_attributes
{
  public:
    using value_type = nvtxEventAttributes_t;
    event_attributes() noexcept : attributes_{}
    {
        attributes_.version = NVTX_VERSION;
        attributes_.size = sizeof(value_type);
    }
    /* Arguments may come in any order; of two of one kind the first counts. */
    template <typename... Args>
    explicit event_attributes(category const &c, Args const &...args) noexcept
        : event_attributes(args...)
    {
        attributes_.category = c.get_id();
    }
    template <typename... Args>
    explicit event_attributes(color const &c, Args const &...args) noexcept
        : event_attributes(args...)
    {
        attributes_.color = c.get_value();
        attributes_.colorType = c.get_type();
    }
    template <typename... Args>
    explicit event_attributes(rgb const &c, Args const &...args) noexcept
        : event_attributes(color{c}, args...)
    {
    }
    template <typename... Args>
    explicit event_attributes(argb const &c, Args const &...args) noexcept
        : event_attributes(color{c}, args...)
    {
    }
    template <typename... Args>
    explicit event_attributes(payload const &p, Args const &...args) noexcept
        : event_attributes(args...)
    {
        attributes_.payload = p.get_value();
        attributes_.payloadType = p.get_type();
    }
    template <typename... Args>
    explicit event_attributes(message const &m, Args const &...args) noexcept
        : event_attributes(args...)
    {
        attributes_.message = m.get_value();
        attributes_.messageType = m.get_type();
    }
    event_attributes(event_attributes const &) = default;
    event_attributes &operator=(event_attributes const &) = default;
    value_type const *get() const noexcept
    {
        return &attributes_;
    }

  private:
    value_type attributes_;
};

/* ---- ranges ------------------------------------------------------------- */

template <class D = domain::global> class scoped_range_in
{
  public:
    explicit scoped_range_in(event_attributes const &attr) noexcept
    {
        detail::check_domain<D>();
        nvtxDomainRangePushEx(domain::get<D>(), attr.get());
    }
    template <
        typename First, typename... Args,
        typename = typename std::enable_if<!std::is_same<
            event_attributes, typename std::decay<First>::type>::value>::type>
    explicit scoped_range_in(First const &first, Args const &...args) noexcept
        : scoped_range_in{event_attributes{first, args...}}
    {
    }
    scoped_range_in() noexcept : scoped_range_in{event_attributes{}}
    {
    }
    void *operator new(std::size_t) = delete;
    scoped_range_in(scoped_range_in const &) = delete;
    scoped_range_in &operator=(scoped_range_in const &) = delete;
    scoped_range_in(scoped_range_in &&) = delete;
    scoped_range_in &operator=(scoped_range_in &&) = delete;
    ~scoped_range_in() noexcept
    {
        nvtxDomainRangePop(domain::get<D>());
    }
};
using scoped_range = scoped_range_in<domain::global>;

namespace detail
{
/* A range that begins when begin() is called, for NVTX3_FUNC_RANGE_IF. */
template <typename D = domain::global> class optional_scoped_range_in
{
  public:
    optional_scoped_range_in() = default;
    void begin(event_attributes const &attr) noexcept
    {
        nvtxDomainRangePushEx(domain::get<D>(), attr.get());
        has_begun_ = true;
    }
    ~optional_scoped_range_in() noexcept
    {
        if (has_begun_)
            nvtxDomainRangePop(domain::get<D>());
    }
    optional_scoped_range_in(optional_scoped_range_in const &) = delete;
    optional_scoped_range_in &
    operator=(optional_scoped_range_in const &) = delete;

  private:
    bool has_begun_ = false;
};
} /* namespace detail */

struct range_handle {
    using value_type = nvtxRangeId_t;
    constexpr explicit range_handle(value_type id) noexcept : range_id_{id}
    {
    }
    constexpr range_handle() noexcept = default;
    constexpr range_handle(std::nullptr_t) noexcept
    {
    }
    constexpr explicit operator bool() const noexcept
    {
        return range_id_ != 0;
    }
    constexpr value_type get_value() const noexcept
    {
        return range_id_;
    }

  private:
    value_type range_id_{};
};
inline bool operator==(range_handle a, range_handle b) noexcept
{
    return a.get_value() == b.get_value();
}
inline bool operator!=(range_handle a, range_handle b) noexcept
{
    return !(a == b);
}

template <typename D = domain::global>
range_handle start_range_in(event_attributes const &attr) noexcept
{
    detail::check_domain<D>();
    return range_handle{nvtxDomainRangeStartEx(domain::get<D>(), attr.get())};
}
template <typename D = domain::global, typename First, typename... Args,
          typename = typename std::enable_if<!std::is_same<
              event_attributes, typename std::decay<First>::type>::value>::type>
range_handle start_range_in(First const &first, Args const &...args) noexcept
{
    return start_range_in<D>(event_attributes{first, args...});
}
template <typename First, typename... Args>
range_handle start_range(First const &first, Args const &...args) noexcept
{
    return start_range_in<domain::global>(first, args...);
}
template <typename D = domain::global>
void end_range_in(range_handle r) noexcept
{
    nvtxDomainRangeEnd(domain::get<D>(), r.get_value());
}
inline void end_range(range_handle r) noexcept
{
    end_range_in<domain::global>(r);
}

/* A range that can be moved; its destructor ends it. */
template <typename D = domain::global> class unique_range_in
{
  public:
    explicit unique_range_in(event_attributes const &attr) noexcept
        : handle_{start_range_in<D>(attr)}
    {
    }
    template <typename First, typename... Args,
              typename = typename std::enable_if<
                  !std::is_same<event_attributes,
                                typename std::decay<First>::type>::value &&
                  !std::is_same<unique_range_in,
                                typename std::decay<First>::type>::value>::type>
    explicit unique_range_in(First const &first, Args const &...args) noexcept
        : unique_range_in{event_attributes{first, args...}}
    {
    }
    unique_range_in() noexcept : unique_range_in{event_attributes{}}
    {
    }
    unique_range_in(unique_range_in &&other) noexcept : handle_{other.handle_}
    {
        other.handle_ = range_handle{};
    }
    unique_range_in &operator=(unique_range_in &&other) noexcept
    {
        std::swap(handle_, other.handle_);
        return *this;
    }
    unique_range_in(unique_range_in const &) = delete;
    unique_range_in &operator=(unique_range_in const &) = delete;
    ~unique_range_in() noexcept
    {
        if (handle_)
            end_range_in<D>(handle_);
    }

  private:
    range_handle handle_;
};
using unique_range = unique_range_in<domain::global>;

template <typename D = domain::global>
void mark_in(event_attributes const &attr) noexcept
{
    detail::check_domain<D>();
    nvtxDomainMarkEx(domain::get<D>(), attr.get());
}
template <typename D = domain::global, typename First, typename... Args,
          typename = typename std::enable_if<!std::is_same<
              event_attributes, typename std::decay<First>::type>::value>::type>
void mark_in(First const &first, Args const &...args) noexcept
{
    mark_in<D>(event_attributes{first, args...});
}
template <typename First, typename... Args>
void mark(First const &first, Args const &...args) noexcept
{
    mark_in<domain::global>(first, args...);
}

/* Names of older versions. */
template <typename D = domain::global>
using domain_thread_range = scoped_range_in<D>;
using thread_range = scoped_range;
template <typename D = domain::global>
using domain_process_range = unique_range_in<D>;
using process_range = unique_range;

} /* namespace v1 */
} /* namespace nvtx3 */

/* ---- a range as long as a function -------------------------------------- */

#define NVTX3_V1_FUNC_RANGE_IN(D)                                              \
    ::nvtx3::v1::scoped_range_in<D> const nvtx3_range__                        \
    {                                                                          \
        ::nvtx3::v1::event_attributes                                          \
        {                                                                      \
            __func__                                                           \
        }                                                                      \
    }
#define NVTX3_V1_FUNC_RANGE_IF_IN(D, C)                                        \
    ::nvtx3::v1::detail::optional_scoped_range_in<D> nvtx3_range__;            \
    if (C)                                                                     \
    nvtx3_range__.begin(::nvtx3::v1::event_attributes{__func__})
#define NVTX3_V1_FUNC_RANGE()                                                  \
    NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_V1_FUNC_RANGE_IF(C)                                              \
    NVTX3_V1_FUNC_RANGE_IF_IN(::nvtx3::v1::domain::global, C)
#define NVTX3_FUNC_RANGE       NVTX3_V1_FUNC_RANGE
#define NVTX3_FUNC_RANGE_IN    NVTX3_V1_FUNC_RANGE_IN
#define NVTX3_FUNC_RANGE_IF    NVTX3_V1_FUNC_RANGE_IF
#define NVTX3_FUNC_RANGE_IF_IN NVTX3_V1_FUNC_RANGE_IF_IN

#endif
